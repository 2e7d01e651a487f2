/**
 * SVG → PNG. The drawing runs on resvg's own thread: a chart takes tens of milliseconds, and whoever waits for a heartbeat or a
 * lock on the event loop must not wait for it. Without fonts resvg leaves out all text and says nothing, hence the fixed files.
 */
import { renderAsync } from '@resvg/resvg-js'
import { fontFamily, fontFiles } from './fonts.ts'

export interface PngSize {
  /** Pixels; the height follows from the picture's own proportions. */
  readonly width: number
}

export async function renderPng(svg: string, { width }: PngSize): Promise<Uint8Array> {
  const image = await renderAsync(svg, {
    fitTo: { mode: 'width', value: width },
    font: { loadSystemFonts: false, fontFiles: Object.values(fontFiles), defaultFontFamily: fontFamily },
  })
  return image.asPng()
}
