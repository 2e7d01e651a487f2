/** Draws in a thread of its own: a wide pipeline takes a second, and nobody who waits for an answer should wait for a picture. */
import { parentPort } from 'node:worker_threads'
import { messageOf } from '../errors.ts'
import { renderPng } from '../picture/png.ts'
import type { ChartSize } from '../report/chart/layout.ts'
import { storyChart } from '../report/chart.ts'
import type { CheckStory } from '../report/check-chart.ts'
import { checkChart } from '../report/check-chart.ts'
import type { Judged } from '../report/messages/incident/home.ts'
import { homeChart } from '../report/messages/incident/home.ts'
import { stepBack } from './priority.ts'

export interface Drawing {
  readonly id: number
  /** The story of an incident, or before and after a change. */
  readonly what: { readonly story: Judged; readonly size: ChartSize } | { readonly check: CheckStory }
  /** IANA zone of the times in it. */
  readonly zone: string
}

export type Drawn = { readonly id: number } & ({ readonly png: Uint8Array } | { readonly why: string })

if (parentPort !== null) stepBack()
parentPort?.on('message', ({ id, zone, what }: Drawing) => {
  const tell = (drawn: Drawn): void => parentPort?.postMessage(drawn)
  draw().then(
    (png) => tell({ id, png }),
    (error: unknown) => tell({ id, why: messageOf(error) }),
  )

  async function draw(): Promise<Uint8Array> {
    if ('check' in what) return await renderPng(checkChart(what.check, { zone, ...homeChart }), { width: homeChart.width })
    const { story, size } = what
    return await renderPng(storyChart(story.timeline, story.attribution, { zone, ...size }), { width: size.width })
  }
})
