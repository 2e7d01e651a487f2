/** From the clock of the sources (epoch) to the axis of the bundle: seconds since `window.from`, to the millisecond. */
import type { Stage } from '../incident/evidence.ts'

/** To the millisecond, so that the same instant read twice is the same number. */
export function toMillis(seconds: number): number {
  const rounded = Math.round(seconds * 1000) / 1000
  return Object.is(rounded, -0) ? 0 : rounded
}

/** Epoch seconds to seconds since `window.from`. */
export function sinceZero(epochS: number, zeroS: number): number {
  return toMillis(epochS - zeroS)
}

export function stageSinceZero(stage: Stage, zeroS: number): Stage {
  return {
    ...stage,
    ...(stage.seen_at === undefined ? {} : { seen_at: sinceZero(stage.seen_at, zeroS) }),
    ...(stage.running_tasks === undefined
      ? {}
      : {
          running_tasks: stage.running_tasks.map((task) =>
            task.reads === undefined ? task : { ...task, reads: task.reads.map(([t, rows]) => [sinceZero(t, zeroS), rows] as const) },
          ),
        }),
  }
}
