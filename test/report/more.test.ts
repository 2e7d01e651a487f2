/** What is answered to whoever asks why it is not something else. */
import { describe, expect, test } from 'vitest'
import { causes } from '../../src/attribution/causes/index.ts'
import { moreAnswer } from '../../src/report/messages/incident/more.ts'
import { wallClock } from '../../src/report/wall-clock.ts'
import { judge } from '../../src/workflow/judge.ts'
import { minute } from '../build/incident.ts'
import { incidents } from '../build/incidents.ts'
import { messageText } from '../build/message-text.ts'
import { timelineOf } from '../build/timeline.ts'
import { verdictOf } from '../build/verdict.ts'

const clock = wallClock('UTC')
const timeline = timelineOf({ kind: 'hot_partition' })
const attribution = verdictOf('hot_partition', timeline)
const why = (cause: string, over: Partial<typeof attribution> = {}): string =>
  messageText(moreAnswer({ want: 'why_not', cause }, { timeline, attribution: { ...attribution, ...over } }, minute(1), clock)!)

describe('why not', () => {
  test('what was ruled out: the number, and the command that shows it', () => {
    const check = { command: 'kafka-get-offsets --topic orders', expect: 'ends grow by 400/s' }
    const ruledOut = [{ cause: 'slow_sink', by: 'commits take 0.4 s, as before {at 3300}', check }]
    const said = moreAnswer(
      { want: 'why_not', cause: 'slow_sink' },
      { timeline, attribution: { ...attribution, ruledOut } },
      minute(1),
      clock,
    )!
    const text = messageText(said)
    expect(text).toContain('Why not "Slow sink": Ruled out: commits take 0.4 s, as before')
    expect(text).not.toContain('{at')
    expect(said.body.find(({ kind }) => kind === 'commands')).toMatchObject({ items: [{ command: check.command, expect: [check.expect] }] })
    expect(text).toContain('From the verdict of 14:01:00 UTC')
  })

  test.each<[string, string, Partial<typeof attribution>, RegExp]>([
    ['the cause that was found', 'hot_partition', {}, /It is the cause that was found/],
    ['one that acts with it', 'slow_sink', { also: ['slow_sink'], ruledOut: [] }, /at the same time/],
    [
      'one that follows from it',
      'slow_sink',
      { ruledOut: [], consequences: [{ cause: 'slow_sink', of: 'hot_partition', share: 0.04 }] },
      /consequence of "Hot partition"; without that 4 % of the extra time is left/,
    ],
    [
      'one that is less likely',
      'slow_sink',
      { ruledOut: [], ranking: [['slow_sink', 0.2]] },
      /not ruled out: the cause that was found fits/,
    ],
    ['one that nothing speaks against', 'slow_sink', { ruledOut: [], ranking: [['slow_sink', 0.01]] }, /No single reading rules it out/],
    [
      'one of several that may be, and what would decide',
      'slow_sink',
      {
        outcome: 'inconclusive',
        cause: null,
        ruledOut: [],
        ranking: [['slow_sink', 0.5]],
        decidingSignal: 'stage task times',
        howToDecide: 'let Headwater reach the driver',
      },
      /one of those that may be[\s\S]*It is: stage task times\nTo get it: let Headwater reach the driver/,
    ],
  ])('%s', (_, cause, over, says) => {
    expect(why(cause, over)).toMatch(says)
  })

  test('evidence that is kept no longer is said, and nothing is made up', () => {
    expect(messageText(moreAnswer({ want: 'why_not', cause: 'slow_sink' }, null, minute(1), clock)!)).toContain('kept no longer')
  })

  test.each(Object.entries(incidents))('every cause is answered in one sentence: %s', (_, evidence) => {
    const judged = judge(evidence())
    for (const { name } of causes) {
      const text = messageText(moreAnswer({ want: 'why_not', cause: name }, judged, minute(1), clock)!)
      expect(text).not.toMatch(/\{at|undefined|NaN|null/)
      if (judged.attribution.cause === name) expect(text).toContain('the cause that was found')
      const out = judged.attribution.ruledOut.some((one) => one.cause === name)
      expect(text.includes('Ruled out: ')).toBe(out && judged.attribution.cause !== name)
    }
  })
})

test('the deciding reading is named with how to get it, and where none is missing that is said', () => {
  const deciding = (over: Partial<typeof attribution>): string =>
    messageText(moreAnswer({ want: 'deciding_reading' }, { timeline, attribution: { ...attribution, ...over } }, minute(1), clock)!)
  expect(deciding({ decidingSignal: 'stage task times', howToDecide: 'let Headwater reach the driver' })).toMatch(
    /One reading would decide[\s\S]*It is: stage task times\nTo get it: let Headwater reach the driver/,
  )
  expect(deciding({ decidingSignal: null, howToDecide: null })).toContain('No single reading is missing')
  expect(moreAnswer({ want: 'longer_window' }, { timeline, attribution }, minute(1), clock)).toBeNull()
})
