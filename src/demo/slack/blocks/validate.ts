/** Whether Slack would take these blocks: the shape of each, and what holds over all of them. */
import type { Fields } from '../json.ts'
import { fieldsOf, listOf, textOf } from '../json.ts'
import { anyBlock } from './block-rules.ts'
import type { Check, Problem } from './check.ts'
import { flag, list, object, problem, string, word } from './check.ts'
import { everyElement } from './elements.ts'
import { limits } from './limits.ts'
import { plainText } from './text-rules.ts'

/** Whether a file, by its id or by a link to it, may be shown in a block now. */
export type FileCheck = (file: Fields) => boolean

/** @param files undefined = files are not looked at (blocks.validate does not know them) */
export function messageProblems(blocks: unknown, files?: FileCheck): Problem[] {
  const problems = list(anyBlock, { max: limits.blocksInMessage })(blocks, '')
  if (problems.length > 0) return problems
  return [...together(blocks as readonly Fields[], ''), ...(files === undefined ? [] : fileProblems(blocks, files, ''))]
}

const view: Check = object({
  required: { type: word('modal', 'home'), blocks: list(anyBlock, { max: limits.blocksInView }) },
  optional: {
    title: plainText(limits.view.title),
    submit: plainText(limits.view.button),
    close: plainText(limits.view.button),
    private_metadata: string({ max: limits.view.privateMetadata }),
    callback_id: string({ max: limits.id }),
    external_id: string({ max: limits.id }),
    clear_on_close: flag,
    notify_on_close: flag,
    submit_disabled: flag,
  },
  also: (value, pointer) => {
    if (value.type !== 'modal') return []
    if (value.title === undefined) return [problem('missing required field: title', pointer)]
    const asks = listOf(value.blocks).some((one) => fieldsOf(one).type === 'input')
    return asks && value.submit === undefined
      ? [problem('missing required field: submit (a view with input blocks needs it)', pointer)]
      : []
  },
})

export function viewProblems(content: unknown, files?: FileCheck): Problem[] {
  const problems = view(content, '')
  if (problems.length > 0) return problems
  const { blocks } = content as { readonly blocks: readonly Fields[] }
  return [...together(blocks, '/blocks'), ...(files === undefined ? [] : fileProblems(blocks, files, '/blocks'))]
}

/** Rules over all blocks of a message or view. */
function together(blocks: readonly Fields[], pointer: string): Problem[] {
  const count = (type: string): number => blocks.filter((one) => one.type === type).length
  const markdown = blocks.filter((one) => one.type === 'markdown').reduce((sum, one) => sum + textOf(one.text).length, 0)
  const problems: Problem[] = []
  if (count('table') > limits.table.perMessage) problems.push(problem('only one table is allowed', pointer))
  if (count('data_visualization') > limits.chart.perMessage)
    problems.push(problem('no more than 2 data_visualization blocks allowed', pointer))
  if (markdown > limits.markdown)
    problems.push(problem(`markdown blocks together must be less than ${limits.markdown + 1} characters`, pointer))
  return [...problems, ...twice(blocks, pointer)]
}

/** Slack refuses a block_id that stands twice in a message, and an action_id that stands twice in a block. */
function twice(blocks: readonly Fields[], pointer: string): Problem[] {
  const seen = new Set<string>()
  return blocks.flatMap((block, place) => {
    const id = textOf(block.block_id)
    const repeated = id !== '' && seen.has(id)
    seen.add(id)
    const actions = everyElement(block)
      .map((element) => textOf(element.action_id))
      .filter((one) => one !== '')
    const again = actions.find((one, at) => actions.indexOf(one) < at)
    return [
      ...(repeated ? [problem(`block_id "${id}" already exists`, `${pointer}/${place}/block_id`)] : []),
      ...(again === undefined ? [] : [problem(`action_id "${again}" already exists for block`, `${pointer}/${place}`)]),
    ]
  })
}

function fileProblems(value: unknown, files: FileCheck, pointer: string): Problem[] {
  if (Array.isArray(value)) return value.flatMap((one, place) => fileProblems(one, files, `${pointer}/${place}`))
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([name, one]) => {
    const at = `${pointer}/${name}`
    if (name === 'slack_file') return files(fieldsOf(one)) ? [] : [problem('invalid slack file', at)]
    return fileProblems(one, files, at)
  })
}
