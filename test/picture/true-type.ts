/** The few tables of a TrueType file that say how far the pen moves after each character. */

export interface Advances {
  readonly unitsPerEm: number
  /** null = the font has no glyph for it. */
  readonly advanceOf: (codePoint: number) => number | null
}

export function advancesOf(file: Buffer): Advances {
  const table = tablesOf(file)
  const unitsPerEm = file.readUInt16BE(table('head') + 18)
  const metrics = file.readUInt16BE(table('hhea') + 34)
  const hmtx = table('hmtx')
  const glyphOf = glyphsOf(file, table('cmap'))
  return {
    unitsPerEm,
    advanceOf: (codePoint) => {
      const glyph = glyphOf(codePoint)
      // Glyphs after the last full entry share its advance.
      return glyph === 0 ? null : file.readUInt16BE(hmtx + 4 * Math.min(glyph, metrics - 1))
    },
  }
}

function tablesOf(file: Buffer): (tag: string) => number {
  const offsets = new Map<string, number>()
  for (let i = 0; i < file.readUInt16BE(4); i++) {
    const at = 12 + 16 * i
    offsets.set(file.toString('latin1', at, at + 4), file.readUInt32BE(at + 8))
  }
  return (tag) => {
    const offset = offsets.get(tag)
    if (offset === undefined) throw new Error(`the font has no table ${tag}`)
    return offset
  }
}

/** Reads the segment mapping (format 4): all of the basic plane, which is all a chart's labels are measured by. */
function glyphsOf(file: Buffer, cmap: number): (codePoint: number) => number {
  let at = -1
  for (let i = 0; i < file.readUInt16BE(cmap + 2); i++) {
    const subtable = cmap + file.readUInt32BE(cmap + 4 + 8 * i + 4)
    if (file.readUInt16BE(subtable) === 4) at = subtable
  }
  if (at < 0) throw new Error('the font has no character map of format 4')
  const segments = file.readUInt16BE(at + 6) / 2
  const [ends, starts] = [at + 14, at + 16 + 2 * segments]
  const [deltas, ranges] = [starts + 2 * segments, starts + 4 * segments]
  return (codePoint) => {
    for (let i = 0; i < segments; i++) {
      if (codePoint > file.readUInt16BE(ends + 2 * i)) continue
      const start = file.readUInt16BE(starts + 2 * i)
      if (codePoint < start) return 0
      const delta = file.readUInt16BE(deltas + 2 * i)
      const range = file.readUInt16BE(ranges + 2 * i)
      if (range === 0) return (codePoint + delta) % 65_536
      const glyph = file.readUInt16BE(ranges + 2 * i + range + 2 * (codePoint - start))
      return glyph === 0 ? 0 : (glyph + delta) % 65_536
    }
    return 0
  }
}
