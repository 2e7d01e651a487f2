/** blocks.validate: the validator by itself. No token, no scope. */
import type { Problem } from '../blocks/check.ts'
import { messageProblems, viewProblems } from '../blocks/validate.ts'
import type { Fields } from '../json.ts'
import { fieldsOf, present } from '../json.ts'
import type { Answer, Method } from './method.ts'
import { done, refuse } from './method.ts'

function verdict(error: string, problems: readonly Problem[]): Answer {
  if (problems.length === 0) return done()
  const show = ({ message, pointer, constraint }: Problem): Fields =>
    present({ code: 'failed_constraint', message, pointer, constraint: constraint ?? undefined })
  return refuse(error, { errors: problems.map(show) })
}

export const blocksValidate: Method = {
  name: 'blocks.validate',
  pace: 'special',
  token: 'none',
  scopes: [],
  required: {},
  optional: { blocks: 'json', view: 'json', message: 'json' },
  run: (args) => {
    const given = ['blocks', 'view', 'message'].filter((name) => args[name] !== undefined)
    if (given.length !== 1) {
      return refuse('invalid_arguments', {
        response_metadata: { messages: ['must provide exactly one of `blocks`, `view`, or `message`'] },
      })
    }
    if (given[0] === 'view') return verdict('invalid_view', viewProblems(args.view))
    if (given[0] === 'blocks') return verdict('invalid_blocks', messageProblems(args.blocks))
    const problems = messageProblems(fieldsOf(args.message).blocks ?? [])
    return verdict(
      'invalid_message',
      problems.map((one) => ({ ...one, pointer: `/blocks${one.pointer}` })),
    )
  },
}
