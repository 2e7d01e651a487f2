/**
 * How soon Slack hears that a command or a press has arrived, while the workers have more diagnoses to make than they can: from its sending
 * at the stand-in to its acknowledgement there.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { ascending, paced, quantile, quantiles } from '../bench/paced.ts'
import type { Town, TownOptions } from '../service/town.ts'
import { channelOf, eventually, homes, town } from '../service/town.ts'
import { askerOf, bringIn, ownerOf } from './people.ts'
import { grown, ownLateness, takenBy } from './resources.ts'
import type { Row } from './rows.ts'
import { count, figure, held } from './rows.ts'
import { diagnosesDone, waitingDiagnoses } from './saturation.ts'

export interface AckOptions extends Pick<TownOptions, 'over'> {
  readonly slack: 'socket' | 'http'
  /** Whether what takes in also works: one process of role all, and one more worker. */
  readonly together?: boolean
  readonly requests: number
  readonly withinMs: number
  readonly pipelines: number
}

const owners = 10
const goalMs = 200
/** At this many diagnoses that wait, both workers have had all their places taken for a while. */
const places = 8

export async function acksUnderLoad({ slack, together = false, requests, withinMs, pipelines, over }: AckOptions): Promise<readonly Row[]> {
  const names = Array.from({ length: pipelines }, (_, i) => `orders-${i}`)
  const ownersOf = (pipeline: number) => Array.from({ length: owners }, (_, which) => ownerOf(pipeline, which))
  const place = await town({
    pipelines: names,
    // Every press is a step of a decision that needs all of them.
    around: (i) => ({ owners: ownersOf(i), approvals: owners }),
    rateLimits: false,
    slack,
    redis: { appendonly: 'yes' },
    ...(over === undefined ? {} : { over }),
  })
  const { stand } = place
  bringIn(
    stand,
    names.flatMap((_, i) => [askerOf(i), ...ownersOf(i)]),
    [...stand.workspace.channels.keys()],
  )
  const looks = [500, 0] as const
  const app = place.start(together ? 'all' : 'app', { looks })
  const workers = [together ? app : place.start('worker', { looks }), place.start('worker', { looks })]
  const at = await app.serving()
  await Promise.all(workers.map((worker) => worker.serving()))
  const events = `${at.slack}/slack/events`
  if (slack === 'http') stand.deliverTo({ commands: events, interactivity: events, events })
  else await eventually(() => stand.socket.connections() > 0, 15_000)

  for (const [i, name] of names.entries()) await ask(place, i, `/headwater diagnose ${name}`)
  const isOpen = (i: number): boolean =>
    homes(place, channelOf(i)).some(({ now }) => JSON.stringify(now.blocks).includes('headwater_approve'))
  await eventually(() => names.every((_, i) => isOpen(i)), 180_000)
  const home = names.map((_, i) => homes(place, channelOf(i))[0]!.ts)
  const before = [app, ...workers].map(takenBy)
  let window = 61
  // Another window is another question: each of them brings a diagnosis of its own.
  const again = (i: number) => ask(place, i, `/headwater diagnose ${names[i]} last ${window}m`)
  while ((await waitingDiagnoses(workers[0]!)) < places) {
    for (const i of names.keys()) await again(i)
    window++
  }
  const madeBefore = await diagnosesDone(workers)

  const waiting: number[] = []
  const stop = new AbortController()
  const watched = watchQueue(() => waitingDiagnoses(workers[0]!), waiting, stop.signal)
  const kinds: Record<'command' | 'press', number[]> = { command: [], press: [] }
  const own = ownLateness()
  const { took, failed } = await paced(requests, withinMs, async (number) => {
    const begin = performance.now()
    const i = Math.floor(number / 2) % pipelines
    const turn = Math.floor(number / 2 / pipelines)
    const kind = number % 2 === 0 ? 'command' : 'press'
    const receipt =
      kind === 'command'
        ? await ask(place, i, `/headwater diagnose ${names[i]} last ${window + turn}m`)
        : await stand.observer.press({
            user: ownerOf(i, turn % owners),
            in: { channel: channelOf(i), ts: home[i]! },
            on: 'headwater_approve',
          })
    kinds[kind].push(performance.now() - begin)
    return receipt?.kind === 'acknowledged'
  })
  const late = own.stop()
  stop.abort()
  await watched
  const made = (await diagnosesDone(workers)) - madeBefore
  const after = [app, ...workers].map(takenBy)
  const by = `${slack === 'socket' ? 'Socket Mode' : 'HTTP'}${together ? ', role all' : ''}`
  const p99 = quantile(took, 0.99)
  return [
    held(`${by}: acknowledged after`, quantiles(took), `p99 < ${goalMs} ms`, p99 < goalMs),
    figure(`${by}: commands`, quantiles(ascending(kinds.command))),
    figure(`${by}: presses`, quantiles(ascending(kinds.press))),
    figure(`${by}: this process itself came late`, late),
    count(`${by}: not acknowledged`, failed, 0),
    figure(`${by}: diagnoses made meanwhile`, `${made}; waiting for a place, at most ${Math.max(0, ...waiting)}`),
    held(
      `${by}: looks when diagnoses waited`,
      `${waiting.filter((one) => one > 0).length} of ${waiting.length}`,
      'nearly all',
      share(waiting) > 0.8,
    ),
    figure(`${by}: the app took`, grown(before[0]!, after[0]!)),
    figure(`${by}: a worker took`, grown(before[1]!, after[1]!)),
  ]
}

const share = (waiting: readonly number[]): number => waiting.filter((one) => one > 0).length / Math.max(1, waiting.length)

const ask = ({ stand }: Town, i: number, line: string) => stand.observer.type({ user: askerOf(i), channel: channelOf(i), line })

async function watchQueue(look: () => Promise<number>, into: number[], signal: AbortSignal): Promise<void> {
  while (!signal.aborted) {
    into.push(await look())
    await sleep(1_000, undefined, { signal }).catch(() => undefined)
  }
}
