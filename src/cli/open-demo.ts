/**
 * The demo put together: a stand-in of Slack, and before it one telling of a story after the other. Whoever starts over gets another
 * service with nothing in it, at the same addresses.
 */
import type { Listen } from '../config/config.ts'
import type { Guidance } from '../demo/guide.ts'
import type { DemoButton, Sign } from '../demo/slack/page/demo-bar.ts'
import { demoApp } from '../demo/slack/settings.ts'
import { startStandIn } from '../demo/slack/stand-in.ts'
import type { Recorded } from '../demo/story.ts'
import type { Log } from '../log.ts'
import type { Backing } from './demo-backing.ts'
import { demoChannel, newSecrets } from './demo-settings.ts'
import type { Telling } from './demo-telling.ts'
import { beginTelling, paceOf } from './demo-telling.ts'

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
  /** How much faster time runs while a change is being checked, at most. */
  readonly pace: number
  readonly close: () => Promise<void>
}

/** How often it is looked where the story is, ms of the machine. */
const everyMs = 200

/** @throws HeadwaterError as `serve` */
export async function openDemo({ stories, backing, log, zone, port }: DemoOptions): Promise<Demo> {
  const secrets = newSecrets()
  const state: { telling: Telling | null; beginning: Promise<void>; shown: string; closing: boolean } = {
    telling: null,
    beginning: Promise.resolve(),
    shown: '',
    closing: false,
  }
  const wrongKnobToo = stories.some(({ turned }) => !turned.right)
  let webhooks: Listen = { host: '127.0.0.1', port: 0 }
  const app = { ...demoApp, events: ['app_mention', 'member_joined_channel', 'subteam_members_changed'] }
  const pace = (): number => state.telling?.clock.pace() ?? 1
  const stand = await startStandIn({ app, port, today: () => state.telling?.clock.nowMs() ?? Date.now(), pace })

  /** One after the other, however often it is pressed. */
  function tell(story: Recorded): Promise<void> {
    const begun = state.beginning.catch(() => undefined).then(() => (state.closing ? undefined : begin(story)))
    state.beginning = begun
    return begun
  }

  async function begin(story: Recorded): Promise<void> {
    const before = state.telling
    state.telling = null
    if (before !== null) show({ steps: [], says: 'Starting over…', buttons: [], links: [] })
    await before?.close()
    stand.clear()
    const telling = await beginTelling(story, { stand, backing, secrets, log, zone, wrongKnobToo, webhookPort: webhooks.port })
    webhooks = telling.webhooks
    state.telling = telling
    stand.observer.say({ user: 'U0DANA', channel: demoChannel, text: 'The orders table looks old to me. Is something wrong?' })
    await look(telling)
  }

  async function look(telling: Telling): Promise<void> {
    const { stage, steps, says } = await telling.look()
    if (state.telling === telling) show({ steps, says, buttons: buttons(telling, stage), links: links(webhooks) })
  }

  /** The page is told only of what is new. */
  function show(sign: Sign): void {
    const shown = JSON.stringify([sign, pace()])
    if (shown === state.shown) return
    state.shown = shown
    stand.demoBar.show(sign)
  }

  function buttons(telling: Telling, stage: Guidance['stage']): DemoButton[] {
    const { story } = telling
    const untold = stage === 'before'
    const alert = { id: 'fire', label: 'Fire the alert', primary: untold, press: () => telling.fire().then(() => look(telling)) }
    const ben = { id: 'ben', label: 'Act as Ben, an owner', primary: true, actAs: 'U0BEN', press: () => {} }
    const again = stories.map((one): DemoButton => {
      const other = one.name !== story.name
      const label = other ? (one.turned.right ? 'Start over: the right knob' : 'Start over: the wrong knob') : 'Start over'
      return { id: `tell-${one.name}`, label, primary: stage === 'over' && other && story.turned.right, press: () => tell(one) }
    })
    return [
      ...(stage === 'proposed' ? [ben] : []),
      ...(telling.fired() || stage === 'over' ? [] : [alert]),
      ...again.filter(({ id }) => !untold || id !== `tell-${story.name}`),
    ]
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
      await Promise.all([looking, state.beginning.catch(() => undefined)])
      await state.telling?.close()
      await stand.close()
      await backing.close()
    },
  }
}

function links({ host, port }: Listen): Sign['links'] {
  const at = `http://${host}:${port}`
  return [
    { label: 'health', url: `${at}/readyz` },
    { label: 'metrics', url: `${at}/metrics` },
  ]
}
