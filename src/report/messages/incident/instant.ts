/** A moment in a message: shown in the zone of whoever reads; the fallback says its zone. */
import type { Part } from '../../message.ts'
import type { WallClock } from '../../wall-clock.ts'

export function instant(epochS: number, clock: WallClock): Part {
  return { at: Math.round(epochS), plain: `${clock.time(epochS)} ${clock.zone}` }
}
