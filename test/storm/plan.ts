/** What happens in a storm, drawn from a seed: how each incident begins, who decides, and what goes wrong around it. */
import type { Chance } from '../../src/demo/slack/chance.ts'
import type { Rule } from '../../src/demo/slack/faults/fault.ts'
import { storm } from '../../src/demo/slack/faults/script.ts'
import type { Around } from '../service/town.ts'
import { channelOf } from '../service/town.ts'
import { ownerOf } from './people.ts'

/** How one incident begins, and what else happens to it. */
export interface Plan {
  readonly index: number
  readonly pipeline: string
  readonly channel: string
  /** Where else somebody asks; null = nowhere. */
  readonly elsewhere: string | null
  readonly atMs: number
  readonly by: 'alert' | 'command' | 'both'
  /** Two owners approve at once. */
  readonly twoOwners: boolean
}

export interface Extent {
  readonly incidents: number
  readonly channels: number
  /** Over which all of them begin, ms. */
  readonly withinMs: number
}

export function plansOf({ incidents, channels, withinMs }: Extent, chance: Chance): readonly Plan[] {
  return Array.from({ length: incidents }, (_, index) => {
    const draw = chance.draw()
    return {
      index,
      pipeline: nameOf(index),
      channel: channelOf(index % channels),
      elsewhere: chance.draw() < 0.15 ? channelOf((index + 1) % channels) : null,
      atMs: (index / incidents) * withinMs,
      by: draw < 0.4 ? 'alert' : draw < 0.7 ? 'command' : 'both',
      twoOwners: chance.draw() < 0.2,
    }
  })
}

/** Of ten pipelines one has nobody who answers, and of another one Spark is away. */
const nameOf = (index: number): string => `${index % 10 === 7 ? 'dark' : index % 10 === 3 ? 'dim' : 'flow'}-${index}`

/** Something that is looked at refuses. */
export const isHalfSeen = ({ pipeline }: Plan): boolean => !pipeline.startsWith('flow-')

export function aroundOf(plan: Plan): Around {
  const { index, channel, elsewhere } = plan
  return {
    channel,
    owners: [ownerOf(index), ownerOf(index, 1)],
    ...(elsewhere === null ? {} : { channels: [elsewhere] }),
    // Nobody listens there.
    ...(isHalfSeen(plan) ? { spark: 'http://127.0.0.1:1' } : {}),
  }
}

/**
 * @param chance of each kind of fault at each call, 0…1
 * @param mostLateMs what would come later is left out
 */
export function faultsOf(chance: number, mostLateMs: number): readonly Rule[] {
  return storm(chance).filter(({ fault }) => fault.kind !== 'late' || fault.ms <= mostLateMs)
}
