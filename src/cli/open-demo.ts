/**
 * The demo put together: the ordinary service with recorded sources, before a stand-in of Slack. Whoever starts over gets another service
 * with nothing in it, at the same addresses.
 */

import type { Listen } from '../config/config.ts'
import type { DemoClock } from '../demo/demo-clock.ts'
import { demoClock } from '../demo/demo-clock.ts'
import type { Stage } from '../demo/guide.ts'
import { guidance } from '../demo/guide.ts'
import type { Playback } from '../demo/playback.ts'
import { playback } from '../demo/playback.ts'
import { recordedSources } from '../demo/recorded-sources.ts'
import type { DemoButton } from '../demo/slack/page/demo-bar.ts'
import { demoApp } from '../demo/slack/settings.ts'
import { startStandIn } from '../demo/slack/stand-in.ts'
import type { AlertBody, Recorded } from '../demo/story.ts'
import { HeadwaterError } from '../errors.ts'
import type { Log } from '../log.ts'
import type { Served } from '../serve.ts'
import { serve } from '../serve.ts'
import { sources } from '../sources/index.ts'
import type { Store } from '../workflow/incident-ports.ts'
import type { Backing } from './demo-backing.ts'
import { demoChannel, demoSettings, newSecrets } from './demo-settings.ts'

export interface DemoOptions {
  /** The first is told first; at least one. */
  readonly stories: readonly Recorded[]
  readonly backing: Backing
  readonly log: Log
  readonly zone: string
  /** Of the page; 0 = any that is free. */
  readonly port: number
}

export interface Demo {
  readonly page: string
  readonly webhooks: Listen
  /** What the alert's sender shows. */
  readonly bearer: string
  /** How much faster time runs while a change is being checked. */
  readonly pace: number
  readonly close: () => Promise<void>
}

/** One telling of one story. */
interface Telling {
  readonly story: Recorded
  readonly clock: DemoClock
  readonly play: Playback
  readonly store: Store
  readonly served: Served
  fired: boolean
  stage: Stage
}

/** Ms of the machine: how often it is looked where the story is, and how long the service may take to stop. */
const everyMs = 200
const graceMs = 2_000
/** So long of the story is left, once a change is approved, for it to be said to be applied before the story has to stand still, ms. */
const readingMs = 60_000
/** What comes of a change is seen within this time of the machine, at least so many times faster, s. */
const checkedWithinS = 45
const paces = { least: 10, most: 30 }

export async function openDemo({ stories, backing, log, zone, port }: DemoOptions): Promise<Demo> {
  const secrets = newSecrets()
  const state: { telling: Telling | null; closing: boolean } = { telling: null, closing: false }
  const idle = demoClock()
  const clockNow = (): DemoClock => state.telling?.clock ?? idle
  const app = { ...demoApp, events: ['app_mention', 'member_joined_channel', 'subteam_members_changed'] }
  const stand = await startStandIn({ app, port, today: () => clockNow().nowMs(), pace: () => clockNow().pace() })
  let webhooks: Listen = { host: '127.0.0.1', port: 0 }

  async function tell(story: Recorded): Promise<void> {
    await state.telling?.served.close(graceMs)
    state.telling = null
    stand.clear()
    const clock = demoClock()
    const play = playback(story, clock)
    const embedded = await backing.fresh(clock, log)
    const settings = demoSettings(story, stand, secrets, webhooks.port, zone)
    const served = await serve({
      settings,
      role: 'all',
      log,
      sources: recordedSources(sources, story, play.at),
      clock,
      slackApiUrl: stand.apiUrl,
      embedded,
    })
    if (served.webhooks === null) throw new HeadwaterError('internal', 'the service of the demo has no webhooks')
    webhooks = served.webhooks
    stand.observer.say({ user: 'U0DANA', channel: demoChannel, text: 'The orders table looks old to me. Is something wrong?' })
    state.telling = { story, clock, play, store: embedded.store, served, fired: false, stage: 'before' }
    await look(state.telling)
  }

  /** Shows where the story is, and moves time as it needs. */
  async function look(telling: Telling): Promise<void> {
    const [incident = null] = await telling.store.incidents({ state: 'any', most: 1 })
    const pace = paceOf(telling.story)
    const { stage, steps, says } = guidance({ incident, fired: telling.fired, turned: telling.story.turned, pace })
    if (stage !== telling.stage) {
      const { moments } = telling.story
      if (stage === 'approved') telling.play.leapTo(moments.appliedMs - readingMs)
      if (stage === 'checking') telling.play.applied()
      telling.clock.setPace(stage === 'checking' ? pace : 1)
      telling.stage = stage
    }
    stand.demoBar.show({ steps, says, buttons: buttons(telling), links: links(webhooks) })
  }

  function buttons(telling: Telling): DemoButton[] {
    const { stage, story } = telling
    const again = stories.map((one): DemoButton => {
      const other = one.name !== story.name
      const label = other ? (one.turned.right ? 'Start over: the right knob' : 'Start over: the wrong knob') : 'Start over'
      return { id: `tell-${one.name}`, label, primary: stage === 'over' && other && story.turned.right, press: () => tell(one) }
    })
    if (stage === 'before') {
      const fire = { id: 'fire', label: 'Fire the alert', primary: true, press: () => fireAlert(telling) }
      return [fire, ...again.filter(({ id }) => id !== `tell-${story.name}`)]
    }
    const ben: DemoButton[] =
      stage === 'proposed' ? [{ id: 'ben', label: 'Act as Ben, an owner', primary: true, actAs: 'U0BEN', press: () => {} }] : []
    return [...ben, ...again]
  }

  async function fireAlert(telling: Telling): Promise<void> {
    telling.fired = true
    telling.play.alert()
    const { spanMs } = telling.play.at()
    const answer = await fetch(`http://${webhooks.host}:${webhooks.port}/webhooks/alertmanager`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${secrets.bearer}` },
      body: JSON.stringify(movedAlert(telling.story.alert, spanMs)),
    })
    if (!answer.ok) log.error('the webhook refuses the alert of the demo', { status: answer.status, says: await answer.text() })
    await look(telling)
  }

  async function lookAgainAndAgain(): Promise<void> {
    while (!state.closing) {
      await new Promise((resolve) => setTimeout(resolve, everyMs))
      if (state.telling === null) continue
      await look(state.telling).catch((error: unknown) => log.warn('the guide cannot see where the story is', { err: error }))
    }
  }

  try {
    await tell(stories[0]!)
  } catch (error) {
    await stand.close()
    throw error
  }
  const looking = lookAgainAndAgain()
  return {
    page: stand.url,
    webhooks,
    bearer: secrets.bearer,
    pace: Math.max(...stories.map(paceOf)),
    async close() {
      state.closing = true
      await looking
      await state.telling?.served.close(graceMs)
      await stand.close()
      await backing.close()
    },
  }
}

/** The longer what came of the change took, the faster. */
function paceOf({ moments, looks }: Recorded): number {
  const seconds = ((looks.at(-1)?.askedAtMs ?? moments.appliedMs) - moments.appliedMs) / 1000
  return Math.min(paces.most, Math.max(paces.least, Math.ceil(seconds / checkedWithinS)))
}

function movedAlert(alert: AlertBody, ms: number): AlertBody {
  const alerts = alert.alerts.map((one) => ({ ...one, startsAt: new Date(Date.parse(one.startsAt) + ms).toISOString() }))
  return { ...alert, alerts }
}

function links({ host, port }: Listen): readonly { readonly label: string; readonly url: string }[] {
  const at = `http://${host}:${port}`
  return [
    { label: 'health', url: `${at}/readyz` },
    { label: 'metrics', url: `${at}/metrics` },
  ]
}
