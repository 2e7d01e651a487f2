/** What the page shows, and that nothing in a message can do anything to it. */
import { array, assert, property } from 'fast-check'
import { describe, expect, test } from 'vitest'
import { messageProblems } from '../../../src/demo/slack/blocks/validate.ts'
import type { Fields } from '../../../src/demo/slack/json.ts'
import { blocks } from '../../../src/demo/slack/page/blocks.ts'
import { dateText } from '../../../src/demo/slack/page/dates.ts'
import { markdown } from '../../../src/demo/slack/page/markdown.ts'
import { mrkdwn } from '../../../src/demo/slack/page/mrkdwn.ts'
import type { Reader } from '../../../src/demo/slack/page/reader.ts'
import { anyBlock } from './block-samples.ts'
import { CHANNEL, openStandIn, START_MS, upload } from './open-stand-in.ts'

const reader: Reader = {
  user: 'U1',
  zone: 'Europe/Paris',
  nowMs: START_MS,
  userName: (id) => (id === 'U1' ? 'Amara' : id),
  groupName: (id) => id,
  channelName: (id) => (id === 'C1' ? 'inc' : id),
  picture: () => null,
  isMe: (id) => id === 'U1',
}
const page = { reader, choices: { users: [], channels: [] }, errors: {}, entered: null }
const drawn = (...list: Fields[]): string => blocks(list, page).markup
/** What a person reads: tags removed, entities read. */
const read = (markup: string): string =>
  markup
    .replaceAll(/<[^>]*>/g, '')
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&amp;', '&')

describe("Slack's text format", () => {
  test.each([
    ['*bold* _italic_ ~gone~ `code`', '<strong>bold</strong> <em>italic</em> <s>gone</s> <code>code</code>'],
    ['*bold _and italic_*', '<strong>bold <em>and italic</em></strong>'],
    ['2*3*4 and snake_case_name', '2*3*4 and snake_case_name'],
    ['`*not bold*`', '<code>*not bold*</code>'],
    ['a &lt; b &amp; c', 'a &lt; b &amp; c'],
    ['> said\n> again\nno', '<blockquote>said<br>again</blockquote>no'],
    ['```\n*raw*\n```', '<pre>*raw*</pre>'],
    ['<https://a.test|here>', '<a href="https://a.test" target="_blank" rel="noopener noreferrer">here</a>'],
    ['see https://a.test/x.', '<a href="https://a.test/x." target="_blank" rel="noopener noreferrer">https://a.test/x.</a>'],
    ['<@U1> in <#C1>', '<span class="mention me">@Amara</span> in <span class="mention">#inc</span>'],
    [':red_circle: :unheard_of:', '🔴 :unheard_of:'],
    [`<!date^${START_MS / 1000}^{date_num} {time}^https://a.test|x>`, '<time>2026-11-30 11:00</time>'],
  ])('%s', (text, markup) => {
    expect(mrkdwn(text, reader).markup).toContain(markup)
  })

  test('plain_text knows no format', () => {
    expect(drawn({ type: 'header', text: { type: 'plain_text', text: '*x* <@U1>' } })).toContain('*x* &lt;@U1&gt;')
  })

  test('Markdown blocks have their own', () => {
    const markup = markdown('# Head\n- [x] **done**\n\n| a | b |\n|---|---|\n| 1 | 2 |\n\n```\ncode\n```').markup
    for (const part of ['<h4>Head</h4>', '☑ <strong>done</strong>', '<td>a</td>', '<pre>code</pre>']) expect(markup).toContain(part)
  })
})

describe('dates, in the zone of the reader', () => {
  const at = Date.UTC(2026, 10, 30, 23, 30) / 1000
  test.each([
    ['{time}', 'Europe/Paris', '00:30'],
    ['{time}', 'America/New_York', '18:30'],
    ['{date_num}', 'Europe/Paris', '2026-12-01'],
    ['{date_pretty} {time_secs}', 'Europe/Paris', 'tomorrow 00:30:00'],
    ['{date_pretty}', 'UTC', 'today'],
    ['{date_short}', 'UTC', 'Nov 30, 2026'],
    ['{date_long}', 'UTC', 'Monday, November 30, 2026'],
    ['{ago}', 'UTC', 'in 14 hours'],
    ['{nonsense}', 'UTC', 'fallback'],
    ['no token', 'UTC', 'fallback'],
  ])('%s in %s', (format, zone, text) => {
    expect(dateText(at, format, 'fallback', { zone, nowMs: START_MS })).toBe(text)
  })
})

describe('untrusted text', () => {
  test.each([
    '<script>alert(1)</script>',
    '<img src=x onerror=alert(1)>',
    '&lt;script&gt;alert(1)&lt;/script&gt;',
    '<javascript:alert(1)|click>',
    '"><svg onload=alert(1)>',
  ])('%s is shown as it is', (text) => {
    const markup = drawn(
      { type: 'section', text: { type: 'mrkdwn', text } },
      { type: 'header', text: { type: 'plain_text', text } },
      { type: 'markdown', text },
      { type: 'image', alt_text: text, image_url: 'https://a.test' },
      { type: 'actions', elements: [{ type: 'button', action_id: text, value: text, text: { type: 'plain_text', text } }] },
    )
    expect(foreign(markup)).toEqual([])
    expect(markup).not.toContain('<a ')
    expect(markup).not.toContain('<img ')
    expect(read(drawn({ type: 'header', text: { type: 'plain_text', text } }))).toBe(text)
  })

  test('an escaped <!channel> of a label is text; one that was not escaped would call everybody, and is marked', () => {
    expect(mrkdwn('label &lt;!channel&gt;', reader).markup).toBe('label &lt;!channel&gt;')
    expect(mrkdwn('<!channel>', reader).markup).toContain('data-broadcast="channel"')
  })
})

const TAGS =
  'a blockquote br button caption code details div em figcaption figure h3 h4 hr img input label li ol option p pre s select small span strong summary table tbody td textarea th thead time tr u ul'
const ATTRIBUTES =
  'alt aria-label checked class data-block data-broadcast data-confirm data-press data-url disabled href multiple name open placeholder rel role rows selected src style target type value'

/** What stands in markup and is not of the page: other tags, other attributes, links to other than pages, and any < outside a tag. */
function foreign(markup: string): string[] {
  const found: string[] = []
  const rest = markup.replaceAll(/<(\/?)([a-z0-9]+)((?:\s+[a-z-]+(?:="[^"<>]*")?)*)\s*>/g, (_, __, tag: string, attributes: string) => {
    if (!TAGS.split(' ').includes(tag)) found.push(tag)
    for (const [whole, name, value = ''] of attributes.matchAll(/([a-z-]+)(?:="([^"]*)")?/g)) {
      const leadsOut = (name === 'href' || name === 'data-url') && !/^(https?|mailto):/.test(value)
      const loads = name === 'src' && !/^(\/page\/file\/|http:\/\/127\.0\.0\.1)/.test(value)
      if (!ATTRIBUTES.split(' ').includes(name!) || leadsOut || loads) found.push(whole)
    }
    return ''
  })
  return rest.includes('<') ? [...found, rest] : found
}

describe('whatever the validator takes', () => {
  test('is drawn without a throw, with the tags of the page and no others', () => {
    let taken = 0
    assert(
      property(array(anyBlock, { minLength: 1, maxLength: 4 }), (list) => {
        if (messageProblems(list).length > 0) return
        taken += 1
        expect(foreign(drawn(...list))).toEqual([])
      }),
      { numRuns: 400, seed: 20_261_130 },
    )
    expect(taken).toBeGreaterThan(80)
  })

  test('and what it does not take is drawn without a throw as well', () => {
    assert(
      property(array(anyBlock, { maxLength: 3 }), (list) => drawn(...list).length >= 0),
      { numRuns: 200, seed: 1 },
    )
  })
})

describe('the page as a person sees it', () => {
  const sights = async (
    url: string,
    user: string,
    more = '',
  ): Promise<{ messages: { html: string }[]; thread: { html: string }[] | null; member: boolean; channels: string }> =>
    (await (await fetch(`${url}/page/sights?user=${user}&channel=${CHANNEL}&zone=Europe/Paris${more}`)).json()) as never

  test('an ephemeral message is there for its person alone, and says so', async () => {
    const stand = await openStandIn()
    await stand.call('chat.postEphemeral', { channel: CHANNEL, user: 'U0AMARA', text: 'psst' })
    const [mine] = (await sights(stand.url, 'U0AMARA')).messages
    expect(read(mine!.html)).toContain('Only visible to you')
    expect((await sights(stand.url, 'U0BEN')).messages).toEqual([])
  })

  test('a thread stands beside the channel; the root counts its replies', async () => {
    const stand = await openStandIn()
    const root = await stand.post({ text: 'root' })
    await stand.post({ text: 'reply', thread_ts: root })
    const seen = await sights(stand.url, 'U0AMARA', `&thread=${root}`)
    expect(seen.messages).toHaveLength(1)
    expect(read(seen.messages[0]!.html)).toContain('1 reply')
    expect(seen.thread!.map((one) => read(one.html)).join()).toMatch(/root[\s\S]*reply/)
  })

  test('a picture is shown once it is ready, and what Slack would not show is said', async () => {
    const stand = await openStandIn()
    const file = await upload(stand)
    await stand.post({ blocks: [{ type: 'image', alt_text: 'lag', slack_file: { id: file } }] })
    const { messages } = await sights(stand.url, 'U0BEN')
    expect(messages[0]!.html).toContain(`src="/page/file/${file}"`)
    expect((await fetch(`${stand.url}/page/file/${file}`)).headers.get('content-type')).toBe('image/png')
    await stand.call('files.delete', { file })
    expect(read((await sights(stand.url, 'U0BEN')).messages[0]!.html)).toContain('No picture: lag')
  })

  test('a private channel is seen by its members; who is not in a channel cannot write', async () => {
    const stand = await openStandIn()
    expect((await sights(stand.url, 'U0BEN')).channels).toContain('orders-owners')
    expect((await sights(stand.url, 'U0AMARA')).channels).not.toContain('orders-owners')
    expect((await sights(stand.url, 'U0FINN')).member).toBe(false)
  })

  test('the page loads nothing from elsewhere and runs nothing but its own script', async () => {
    const stand = await openStandIn()
    const answer = await fetch(stand.url)
    expect(answer.headers.get('content-security-policy')).toContain("default-src 'none'; script-src 'self'")
    const addresses = [...(await answer.text()).matchAll(/(?:src|href)="([^"]*)"/g)].map(([, address]) => address)
    expect(addresses).toEqual(['data:,', '/assets/page.css', '/assets/blocks.css', '/assets/page.js'])
    for (const address of addresses.slice(1)) expect((await fetch(stand.url + address)).status).toBe(200)
  })

  test("another site's form cannot press a button here", async () => {
    const stand = await openStandIn()
    const answer = await fetch(`${stand.url}/page/type`, { method: 'POST', body: new URLSearchParams({ text: '/headwater' }) })
    expect(answer.status).toBe(415)
  })

  test('whoever runs the demo says where it is, what time it is, and what can be pressed', async () => {
    const stand = await openStandIn({ today: () => START_MS + 3_600_000, pace: () => 10 })
    const sights = async (): Promise<{ bar: string; time: unknown }> =>
      (await (await fetch(`${stand.url}/page/sights?user=U0AMARA`)).json()) as { bar: string; time: unknown }
    expect(await sights()).toMatchObject({ bar: '', time: null })
    const pressed: string[] = []
    stand.demoBar.show({
      steps: [
        { label: 'Alert', state: 'done' },
        { label: 'Verdict', state: 'now' },
      ],
      says: 'Begin <here>',
      buttons: [
        { id: 'fire', label: 'Fire the <alert>', primary: true, press: () => void pressed.push('fire') },
        { id: 'ben', label: 'Act as Ben', actAs: 'U0BEN', press: () => {} },
      ],
      links: [{ label: 'health', url: 'http://127.0.0.1:1/readyz' }],
    })
    const { bar, time } = await sights()
    expect(time).toEqual({ nowMs: START_MS + 3_600_000, pace: 10 })
    expect(bar).toContain('<li class="done">Alert</li><li class="now" aria-current="step">Verdict</li>')
    expect(bar).toContain('Begin &lt;here&gt;')
    expect(bar).toContain('data-demo="fire">Fire the &lt;alert&gt;')
    expect(bar).toContain('data-as="U0BEN"')
    expect(bar).toContain('href="http://127.0.0.1:1/readyz"')
    const press = async (id: string): Promise<unknown> =>
      await (
        await fetch(`${stand.url}/page/demo`, {
          method: 'POST',
          headers: { 'content-type': 'application/json' },
          body: JSON.stringify({ id }),
        })
      ).json()
    expect(await press('fire')).toEqual({ trouble: null })
    expect(await press('gone')).toEqual({ trouble: 'This button is gone.' })
    expect(pressed).toEqual(['fire'])
  })

  test('messages are dated with the time of the demo; cleared, nothing was ever said', async () => {
    const later = START_MS + 7_200_000
    const stand = await openStandIn({ today: () => later })
    const ts = await stand.post()
    expect(Math.floor(Number(ts))).toBe(later / 1000)
    stand.clear()
    expect(stand.observer.messages()).toEqual([])
    expect(stand.observer.modal('U0AMARA')).toBeNull()
  })

  test('news are told as they happen', async () => {
    const stand = await openStandIn()
    const hangUp = new AbortController()
    const feed = await fetch(`${stand.url}/page/news`, { signal: hangUp.signal })
    const heard = feed.body!.pipeThrough(new TextDecoderStream()).getReader()
    expect((await heard.read()).value).toContain('event: changed')
    await stand.post()
    expect((await heard.read()).value).toContain('event: changed')
    hangUp.abort()
    await heard.cancel().catch(() => undefined)
  })
})
