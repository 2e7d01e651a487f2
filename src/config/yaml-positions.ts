/** Where in the text a path of the configuration stands. */
import type { Document, LineCounter, Node } from 'yaml'
import { isMap, isScalar, isSeq } from 'yaml'

export interface Position {
  readonly line: number
  readonly column: number
}

/**
 * @param aim the key itself (an unknown key, a missing child's parent) or what stands behind it
 * @returns the deepest part of the path that exists in the text; null for an empty file
 */
export function positionOf(doc: Document, lines: LineCounter, path: readonly (string | number)[], aim: 'key' | 'value'): Position | null {
  let node = doc.contents as Node | null
  let offset = node?.range?.[0]
  for (const [depth, key] of path.entries()) {
    const last = depth === path.length - 1
    if (isMap(node)) {
      const pair = node.items.find((item) => isScalar(item.key) && String(item.key.value) === String(key))
      if (pair === undefined) break
      const keyAt = (pair.key as Node).range?.[0]
      node = (pair.value ?? null) as Node | null
      const valueAt = node?.range?.[0]
      // An empty value stands nowhere; its key is the best place to point at.
      const empty = isScalar(node) && node.range?.[0] === node.range?.[1]
      offset = (last && aim === 'key') || empty ? keyAt : (valueAt ?? keyAt)
    } else if (isSeq(node)) {
      node = (node.items[Number(key)] ?? null) as Node | null
      offset = node?.range?.[0] ?? offset
    } else break
  }
  if (offset === undefined) return null
  const { line, col } = lines.linePos(offset)
  return { line, column: col }
}
