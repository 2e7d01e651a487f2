/**
 * What the chart looks like. The colours are from Okabe and Ito's set, which people with any colour vision tell apart; each
 * also differs in lightness, width or dash, so that a grey print still reads.
 */
export const fontFamily = 'Inter'

export const ink = {
  paper: '#ffffff',
  text: '#1a1a1a',
  quiet: '#5f6368',
  rule: '#e3e5e8',
  axis: '#9aa0a6',
  /** What everyone else does. */
  rest: '#b3b8be',
  restBand: '#dfe2e6',
  /** What the verdict points at. */
  accent: '#c44500',
  accentBand: '#f6dccc',
  /** Second and third highlighted partition. */
  second: '#0072b2',
  third: '#7a3e78',
  /** Totals. */
  total: '#1a1a1a',
  limit: '#00639a',
  bar: '#a9bccb',
  fill: '#e8eef3',
  onset: '#f0b429',
  /** Where a change should bring a reading. */
  expected: '#00785a',
  expectedBand: '#d3ece2',
} as const

export const accents: readonly string[] = [ink.accent, ink.second, ink.third]
export const dashes: readonly (string | undefined)[] = [undefined, '14 6', '4 5']
/** Of what a line is measured against, and of the number of executors. */
export const limitDash = '12 7'
export const executorsDash = '4 5'
