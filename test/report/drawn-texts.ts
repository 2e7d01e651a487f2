/** The texts of a chart with the boxes they fill, so that a test can see what an eye would: cut off, too small, on top of each other. */
import { messageLayout } from '../../src/report/chart/layout.ts'
import { textWidth } from '../../src/report/chart/text-width.ts'

export interface DrawnText {
  readonly words: string
  readonly size: number
  readonly left: number
  readonly right: number
  readonly top: number
  readonly bottom: number
}

const text =
  /(<g transform="translate\(([\d.-]+) ([\d.-]+)\) rotate\(-90\)">)?<text x="([\d.-]+)" y="([\d.-]+)" font-family="[^"]*" font-size="([\d.]+)" font-weight="(\d+)" text-anchor="(\w+)" fill="[^"]*"( stroke)?[^>]*>([^<]*)<\/text>/g

export function textsOf(svg: string): DrawnText[] {
  const texts: DrawnText[] = []
  // The white rim below a label is the label once more.
  const turnedWithoutRims = svg.replaceAll(/(<g transform="translate[^>]*>)<text [^>]* stroke=[^>]*>[^<]*<\/text>/g, '$1')
  for (const [, turned, shiftX, shiftY, x, y, size, weight, anchor, rim, inner] of turnedWithoutRims.matchAll(text)) {
    if (rim !== undefined) continue
    const words = (inner as string)
      .replaceAll('&lt;', '<')
      .replaceAll('&gt;', '>')
      .replaceAll('&quot;', '"')
      .replaceAll('&#39;', "'")
      .replaceAll('&amp;', '&')
    const width = textWidth(words, Number(size), Number(weight) === 600 ? 'semibold' : 'regular')
    const start = anchor === 'end' ? -width : anchor === 'middle' ? -width / 2 : 0
    const [ascent, descent] = [Number(size) * 0.74, Number(size) * 0.2]
    texts.push(
      turned === undefined
        ? {
            words,
            size: Number(size),
            left: Number(x) + start,
            right: Number(x) + start + width,
            top: Number(y) - ascent,
            bottom: Number(y) + descent,
          }
        : {
            words,
            size: Number(size),
            left: Number(shiftX) - ascent,
            right: Number(shiftX) + descent,
            top: Number(shiftY) - start - width,
            bottom: Number(shiftY) - start,
          },
    )
  }
  return texts
}

/** Pixels that a phone gives a picture in a message. */
const shown = 300

/** Of a picture in a message: pixels on a phone. */
export function onPhone(units: number): number {
  return (units * shown) / messageLayout.width
}

/** What a reader with a phone in his hand would complain of; none = all of it can be read. */
export function unreadable(svg: string): string[] {
  const texts = textsOf(svg)
  const height = heightOf(svg)
  const small = texts.filter(({ size }) => onPhone(size) < 9).map(({ words, size }) => `"${words}" is ${onPhone(size).toFixed(1)} px high`)
  const outside = texts
    .filter(({ left, right, top, bottom }) => left < 0 || right > messageLayout.width || top < 0 || bottom > height)
    .map(({ words }) => `"${words}" leaves the picture`)
  return [...small, ...outside, ...overlapping(texts), ...(/NaN|Infinity|undefined|null/.exec(svg) ?? [])]
}

/** Units of a picture in a message. */
export function heightOf(svg: string): number {
  return Number(/viewBox="0 0 800 (\d+)"/.exec(svg)?.[1])
}

export function overlapping(texts: readonly DrawnText[]): string[] {
  return texts.flatMap((a, i) =>
    texts
      .slice(i + 1)
      .filter((b) => a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom && a.words !== '' && b.words !== '')
      .map((b) => `"${a.words}" and "${b.words}"`),
  )
}
