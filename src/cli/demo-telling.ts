/** One telling of one story: the ordinary service with recorded sources, before the stand-in of Slack, and time that goes as the story needs. */
import type { Listen } from '../config/config.ts'
import type { DemoClock } from '../demo/demo-clock.ts'
import { demoClock } from '../demo/demo-clock.ts'
import type { Guidance } from '../demo/guide.ts'
import { guidance } from '../demo/guide.ts'
import { playback } from '../demo/playback.ts'
import { recordedSources } from '../demo/recorded-sources.ts'
import type { StandIn } from '../demo/slack/stand-in.ts'
import type { AlertBody, Recorded } from '../demo/story.ts'
import { HeadwaterError } from '../errors.ts'
import type { Incident } from '../incident/incident.ts'
import type { Log } from '../log.ts'
import { serve } from '../serve.ts'
import { sources } from '../sources/index.ts'
import type { Backing } from './demo-backing.ts'
import type { DemoSecrets } from './demo-settings.ts'
import { demoPipeline, demoSettings } from './demo-settings.ts'

export interface Telling {
  readonly story: Recorded
  readonly clock: DemoClock
  readonly webhooks: Listen
  readonly fired: () => boolean
  /** Sends the alert to the webhook, as its sender would; once. */
  readonly fire: () => Promise<void>
  /** Where the story is; moves time on as it needs. */
  readonly look: () => Promise<Guidance>
  readonly close: () => Promise<void>
}

export interface Setting {
  readonly stand: StandIn
  readonly backing: Backing
  readonly secrets: DemoSecrets
  readonly log: Log
  /** IANA zone of times of day in charts. */
  readonly zone: string
  /** 0 = any that is free. */
  readonly webhookPort: number
  /** There is a story in which the wrong knob is turned. */
  readonly wrongKnobToo: boolean
}

/** For the service to stop, ms. */
const graceMs = 2_000
/** So long of the story is left, once a change is approved, for it to be said to be applied before the story has to stand still, ms. */
const readingMs = 60_000
/** What comes of a change is seen within this time of the machine, at least so many times faster, s. */
const checkedWithinS = 45
const paces = { least: 10, most: 30 }
/** While a person reads and nothing is under way, so that the story need not stand still; and after so long without news, ms. */
const reading = { pace: 0.2, afterMs: 6_000 }

/** The longer what came of the change took, the faster. @returns demo seconds in one of the machine's while it is checked */
export function paceOf({ moments, looks }: Recorded): number {
  const seconds = ((looks.at(-1)?.askedAtMs ?? moments.appliedMs) - moments.appliedMs) / 1000
  return Math.min(paces.most, Math.max(paces.least, Math.ceil(seconds / checkedWithinS)))
}

/** @throws HeadwaterError as `serve` */
export async function beginTelling(
  story: Recorded,
  { stand, backing, secrets, log, zone, webhookPort, wrongKnobToo }: Setting,
): Promise<Telling> {
  const clock = demoClock()
  const play = playback(story, clock)
  const embedded = await backing.fresh(clock, log)
  const settings = demoSettings(story, stand, secrets, webhookPort, zone)
  const recorded = recordedSources(sources, story, play.at)
  const served = await serve({ settings, role: 'all', log, sources: recorded, clock, slackApiUrl: stand.apiUrl, embedded })
  const { webhooks } = served
  if (webhooks === null) throw new HeadwaterError('internal', 'the service of the demo has no webhooks')
  const pace = paceOf(story)
  const state = { fired: false, stage: 'before' as Guidance['stage'], news: '', newsMs: 0 }

  function move(stage: Guidance['stage']): void {
    if (stage !== 'before') play.alert()
    if (stage === 'approved') play.leapTo(story.moments.appliedMs - readingMs)
    if (stage === 'checking') play.applied()
  }

  function paceAt(stage: Guidance['stage'], incident: Incident | null): number {
    const news = JSON.stringify(incident)
    if (news !== state.news) Object.assign(state, { news, newsMs: performance.now() })
    if (stage === 'checking') return pace
    const underWay = incident?.revisions.some((one) => one.state === 'queued') ?? true
    const forReading = (stage === 'proposed' || stage === 'approved') && !underWay
    return forReading && performance.now() - state.newsMs > reading.afterMs ? reading.pace : 1
  }

  return {
    story,
    clock,
    webhooks,
    fired: () => state.fired,
    async fire() {
      if (state.fired) return
      state.fired = true
      play.alert()
      const answer = await fetch(`http://${webhooks.host}:${webhooks.port}/webhooks/alertmanager`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', authorization: `Bearer ${secrets.bearer}` },
        body: JSON.stringify(movedAlert(story.alert, play.at().spanMs)),
      })
      if (!answer.ok) log.error('the webhook refuses the alert of the demo', { status: answer.status, says: await answer.text() })
    },
    async look() {
      const newest = await embedded.store.incidents({ state: 'any', most: 5 })
      const incident = newest.find(({ pipeline }) => pipeline === demoPipeline) ?? null
      const guide = guidance({ incident, fired: state.fired, turned: story.turned, pace, wrongKnobToo })
      if (guide.stage !== state.stage) move(guide.stage)
      state.stage = guide.stage
      const now = paceAt(guide.stage, incident)
      if (now !== clock.pace()) clock.setPace(now)
      return guide
    },
    close: () => served.close(graceMs),
  }
}

function movedAlert(alert: AlertBody, ms: number): AlertBody {
  const alerts = alert.alerts.map((one) => ({ ...one, startsAt: new Date(Date.parse(one.startsAt) + ms).toISOString() }))
  return { ...alert, alerts }
}
