/** Where interactive elements stand in a block, and the ids that Slack gives to what has none. */
import type { Chance } from '../chance.ts'
import type { Fields } from '../json.ts'
import { fieldsOf, isFields, listOf, textOf } from '../json.ts'

const HOLDERS: Readonly<Record<string, readonly string[]>> = {
  actions: ['elements'],
  context_actions: ['elements'],
  section: ['accessory'],
  input: ['element'],
  card: ['actions'],
}

/** Interactive elements that stand directly in a block; those of a container's or a carousel's parts are theirs. */
export function everyElement(block: Fields): Fields[] {
  const names = HOLDERS[textOf(block.type)] ?? []
  return names
    .flatMap((name) => (Array.isArray(block[name]) ? listOf(block[name]) : [block[name]]))
    .filter(isFields)
    .filter((one) => one.type !== 'image')
}

/** Blocks, and the blocks inside containers and carousels. */
export function everyBlock(blocks: readonly Fields[]): Fields[] {
  return blocks.flatMap((block) => [block, ...everyBlock(partsOf(block).map(fieldsOf))])
}

function partsOf(block: Fields): readonly unknown[] {
  if (block.type === 'container') return listOf(block.child_blocks)
  return block.type === 'carousel' ? listOf(block.elements) : []
}

/** Slack gives a block_id to each block and an action_id to each element that comes without. */
export function withIds(blocks: readonly Fields[], chance: Chance): Fields[] {
  return blocks.map((block) => {
    const filled: Record<string, unknown> = { ...block, block_id: block.block_id ?? chance.id('', 5) }
    for (const name of HOLDERS[textOf(block.type)] ?? []) {
      const held = block[name]
      const fill = (one: unknown): unknown =>
        isFields(one) && one.type !== 'image' ? { ...one, action_id: one.action_id ?? chance.id('', 5) } : one
      if (held !== undefined) filled[name] = Array.isArray(held) ? held.map(fill) : fill(held)
    }
    if (block.type === 'container') filled.child_blocks = withIds(listOf(block.child_blocks).map(fieldsOf), chance)
    if (block.type === 'carousel') filled.elements = withIds(listOf(block.elements).map(fieldsOf), chance)
    return filled
  })
}
