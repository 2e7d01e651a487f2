/** Order statistics that one wild value cannot move. All functions ignore nothing: pass only finite numbers. */

/** Middle value; NaN of an empty list. */
export function median(values: readonly number[]): number {
  return quantile(values, 0.5)
}

/** Linear interpolation between order statistics (type 7, the default of R and NumPy); NaN of an empty list. */
export function quantile(values: readonly number[], p: number): number {
  if (values.length === 0) return Number.NaN
  const sorted = [...values].sort((a, b) => a - b)
  const at = (sorted.length - 1) * p
  const low = Math.floor(at)
  const a = sorted[low] as number
  const b = sorted[Math.min(low + 1, sorted.length - 1)] as number
  return a + (b - a) * (at - low)
}

/** Standard deviation as the median absolute deviation would have it for normal noise (factor 1.4826). */
export function spread(values: readonly number[]): number {
  const m = median(values)
  return 1.4826 * median(values.map((v) => Math.abs(v - m)))
}

/**
 * Line through points by Theil and Sen: the median of all pairwise slopes, and the median of what is left.
 * Above 300 points 300 evenly spaced ones are used, so the cost stays bounded. null with fewer than 2 different x.
 */
export function theilSen(points: readonly (readonly [number, number])[]): { readonly intercept: number; readonly slope: number } | null {
  const step = Math.max(1, Math.ceil(points.length / 300))
  const some = points.filter((_, i) => i % step === 0)
  const slopes: number[] = []
  for (let i = 0; i < some.length; i++) {
    for (let j = i + 1; j < some.length; j++) {
      const [x1, y1] = some[i] as readonly [number, number]
      const [x2, y2] = some[j] as readonly [number, number]
      if (x1 !== x2) slopes.push((y2 - y1) / (x2 - x1))
    }
  }
  if (slopes.length === 0) return null
  const slope = median(slopes)
  return { slope, intercept: median(some.map(([x, y]) => y - slope * x)) }
}
