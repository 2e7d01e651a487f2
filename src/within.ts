/** An answer of somebody else, or that there was none in time. What was begun goes on; its late answer is nobody's any more. */

/** @throws Error when there is no answer in time */
export async function within<T>(ask: () => Promise<T>, ms: number): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`no answer within ${ms} ms`)), ms)
  })
  try {
    return await Promise.race([ask(), late])
  } finally {
    clearTimeout(timer)
  }
}
