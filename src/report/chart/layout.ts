/**
 * Where the parts of a chart stand and how large they are set, for the places in which one is read. Lengths are in units of the
 * picture, which is `width` of them wide, whatever the pixels of the finished file.
 */
export interface Layout {
  readonly width: number
  /** Panels shrink to it, but not below what shows something; null = as high as they like. */
  readonly height: number | null
  /** Beside the drawing areas: for the scales, and for what stands to the right. */
  readonly left: number
  readonly right: number
  readonly top: number
  /** Words keep this far from the sides. */
  readonly edge: number
  readonly type: {
    readonly title: number
    readonly subtitle: number
    readonly panel: number
    readonly label: number
    readonly tick: number
  }
  /** What a line is and where it stands now: at its end, or, where the picture is narrow, in the row of the panel's title. */
  readonly labels: 'beside' | 'above'
  /** Between the scale and its numbers. */
  readonly scaleGap: number
  readonly rows: Rows
  /** Drawing area of a panel of weight 1: what it gets, and below what it shows nothing. */
  readonly plot: { readonly usual: number; readonly least: number }
  /** More times on the axis would touch. */
  readonly mostTicks: number
}

interface Rows {
  /** 0 = none: what the picture is about stands above it. */
  readonly heading: number
  readonly onset: number
  /** 0 = events stand beside the words of the onset. */
  readonly events: number
  readonly title: number
  /** Below the title of a panel that was not seen; 0 = why stands beside its title. */
  readonly empty: number
  /** Between a panel and the next. */
  readonly gap: number
  readonly axis: number
}

export interface ChartSize {
  readonly layout: Layout
  /** Pixels of the finished picture. */
  readonly width: number
}

/** For a screen, and for paper: 1600 wide. A phone shows it at a fifth: nothing is set smaller than 24. */
export const pageLayout: Layout = {
  width: 1600,
  height: null,
  left: 128,
  right: 342,
  top: 30,
  edge: 36,
  type: { title: 42, subtitle: 28, panel: 28, label: 26, tick: 24 },
  labels: 'beside',
  scaleGap: 14,
  rows: { heading: 100, onset: 42, events: 38, title: 42, empty: 84, gap: 26, axis: 92 },
  plot: { usual: 168, least: 60 },
  mostTicks: 8,
}

/**
 * For a message in a chat, which stands 300 pixels wide on a phone: type of 24 is 9 pixels high there, and the whole picture 170, so
 * that the words of the message stay on the same screen.
 */
export const messageLayout: Layout = {
  width: 800,
  height: 452,
  left: 100,
  right: 12,
  top: 4,
  edge: 10,
  type: { title: 24, subtitle: 24, panel: 24, label: 24, tick: 24 },
  labels: 'above',
  scaleGap: 10,
  rows: { heading: 0, onset: 40, events: 0, title: 29, empty: 0, gap: 7, axis: 40 },
  plot: { usual: 90, least: 30 },
  mostTicks: 5,
}

/** Left and right side of the drawing areas. */
export function plotOf({ left, right, width }: Layout): [number, number] {
  return [left, width - right]
}
