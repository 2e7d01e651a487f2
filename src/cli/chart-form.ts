/** What a chart is written as: its ending says so, and another one would leave a picture under a false name. */
import { HeadwaterError } from '../errors.ts'

export type ChartForm = 'svg' | 'png'

/** @throws HeadwaterError usage */
export function chartForm(path: string): ChartForm {
  const ending = /\.(png|svg)$/i.exec(path)?.[1]?.toLowerCase()
  if (ending === undefined) throw new HeadwaterError('usage', `a chart is a .png or a .svg, and "${path}" is neither`)
  return ending as ChartForm
}
