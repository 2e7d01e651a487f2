/** The word that was probably meant: for keys, pipelines and zones that were written nearly right. */

/** @returns the nearest known word within a third of its length (at least one, at most three edits), or null */
export function didYouMean(written: string, known: Iterable<string>): string | null {
  let best: string | null = null
  let fewest = Math.min(3, Math.max(1, Math.floor(written.length / 3))) + 1
  for (const word of known) {
    const edits = distance(plain(written), plain(word), fewest)
    if (edits < fewest) {
      fewest = edits
      best = word
    }
  }
  return best
}

/** Whether a name was written with one slip of the finger. Another digit is another name: "orders-2" is not "orders-1". */
export function oneSlip(written: string, name: string): boolean {
  const digits = (text: string): string => text.replace(/\D/g, '')
  return plain(name).length > 3 && digits(written) === digits(name) && distance(plain(written), plain(name), 2) < 2
}

/** `maxOffsetsPerTrigger`, `max-offsets-per-trigger` and `max_offsets_per_trigger` are one word. */
function plain(word: string): string {
  return word.toLowerCase().replace(/[^a-z0-9]/g, '')
}

/** Edits (insert, delete, replace, swap neighbours) from a to b; any number ≥ `enough` may be returned as `enough`. */
function distance(a: string, b: string, enough: number): number {
  if (Math.abs(a.length - b.length) >= enough) return enough
  let before: number[] = []
  let last = Array.from({ length: b.length + 1 }, (_, i) => i)
  for (let i = 1; i <= a.length; i++) {
    const row = [i]
    for (let j = 1; j <= b.length; j++) {
      const replace = last[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1)
      const swap = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1] ? before[j - 2]! + 1 : enough
      row.push(Math.min(replace, swap, last[j]! + 1, row[j - 1]! + 1))
    }
    before = last
    last = row
  }
  return last[b.length]!
}
