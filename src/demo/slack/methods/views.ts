/** views.open, views.update, views.push. */

import { fileCheck } from '../api/content.ts'
import type { Backstage } from '../backstage.ts'
import type { Problem } from '../blocks/check.ts'
import { withIds } from '../blocks/elements.ts'
import { limits } from '../blocks/limits.ts'
import { viewProblems } from '../blocks/validate.ts'
import type { Fields } from '../json.ts'
import { fieldsOf, isFields, listOf, textOf } from '../json.ts'
import { exchangeTrigger } from '../workspace/triggers.ts'
import type { View } from '../workspace/views.ts'
import { findView, MOST_VIEWS_IN_A_STACK, replaceView, viewJson } from '../workspace/views.ts'
import type { Answer, Method } from './method.ts'
import { done, invalidArguments, refuse } from './method.ts'

/** @returns what Slack says to this view; null = it takes it. `except` = the view that it replaces. */
export function viewRefusal(stage: Backstage, content: unknown, except: View | null = null): Answer | null {
  if (!isFields(content)) return invalidArguments('must provide an object [json-pointer:/view]')
  if (JSON.stringify(content).length > limits.view.bytes) return refuse('view_too_large')
  const problems = viewProblems(content, fileCheck(stage))
  if (problems.length > 0)
    return invalidArguments(...problems.map(({ message, pointer }: Problem) => `${message} [json-pointer:/view${pointer}]`))
  const externalId = textOf(content.external_id)
  const taken = externalId === '' ? null : findView(stage.workspace.stacks, { externalId })
  return taken === null || taken.id === except?.id ? null : refuse('duplicate_external_id')
}

/** A view as it is kept: with ids in all blocks. */
function filled(stage: Backstage, content: Fields): Fields {
  return { ...content, blocks: withIds(listOf(content.blocks).map(fieldsOf), stage.chance) }
}

function show(stage: Backstage, view: View): Answer {
  return done({ view: viewJson(view, stage.settings.app, stage.workspace.team.id) })
}

/** Puts a view on top of a person's stack. */
export function pushView(stage: Backstage, user: string, content: Fields): View {
  const stack = stage.workspace.stacks.get(user) ?? []
  const id = stage.chance.id('V')
  const view: View = {
    id,
    user,
    rootId: stack[0]?.id ?? id,
    previousId: stack.at(-1)?.id ?? null,
    content: filled(stage, content),
    hash: `${Math.floor(stage.clock.now() / 1000)}.${stage.chance.id('', 8)}`,
    entered: {},
    errors: {},
    trouble: null,
  }
  stage.workspace.stacks.set(user, [...stack, view])
  stage.news.tell()
  return view
}

/** New content for a view that is open; what was entered stays where block and element are still there. */
export function updateView(stage: Backstage, view: View, content: Fields): View {
  const changed: View = {
    ...view,
    content: filled(stage, content),
    hash: `${Math.floor(stage.clock.now() / 1000)}.${stage.chance.id('', 8)}`,
    errors: {},
    trouble: null,
  }
  replaceView(stage.workspace.stacks, changed)
  stage.news.tell()
  return changed
}

function triggered(args: Fields, stage: Backstage): ReturnType<typeof exchangeTrigger> | Answer {
  if (args.trigger_id === undefined) return invalidArguments('missing required field: trigger_id')
  const refusal = viewRefusal(stage, args.view)
  return refusal ?? exchangeTrigger(stage.workspace.triggers, textOf(args.trigger_id), stage.clock.now())
}

export const viewsOpen: Method = {
  name: 'views.open',
  pace: 4,
  token: 'bot',
  scopes: [],
  required: { view: 'json' },
  optional: { trigger_id: 'text' },
  run: (args, stage) => {
    const trigger = triggered(args, stage)
    if (typeof trigger === 'string') return refuse(trigger)
    if ('ok' in trigger) return trigger
    stage.workspace.stacks.set(trigger.user, [])
    return show(stage, pushView(stage, trigger.user, fieldsOf(args.view)))
  },
}

export const viewsPush: Method = {
  name: 'views.push',
  pace: 4,
  token: 'bot',
  scopes: [],
  required: { view: 'json' },
  optional: { trigger_id: 'text' },
  run: (args, stage) => {
    const trigger = triggered(args, stage)
    if (typeof trigger === 'string') return refuse(trigger)
    if ('ok' in trigger) return trigger
    const stack = stage.workspace.stacks.get(trigger.user) ?? []
    if (stack.length === 0) return refuse('not_found')
    if (stack.length >= MOST_VIEWS_IN_A_STACK) return refuse('push_limit_reached')
    return show(stage, pushView(stage, trigger.user, fieldsOf(args.view)))
  },
}

export const viewsUpdate: Method = {
  name: 'views.update',
  pace: 4,
  token: 'bot',
  scopes: [],
  required: { view: 'json' },
  optional: { view_id: 'text', external_id: 'text', hash: 'text' },
  run: (args, stage) => {
    const by = args.view_id === undefined ? { externalId: textOf(args.external_id) } : { id: textOf(args.view_id) }
    if (args.view_id === undefined && args.external_id === undefined)
      return invalidArguments('missing required field: view_id or external_id')
    const view = findView(stage.workspace.stacks, by)
    const refusal = viewRefusal(stage, args.view, view)
    if (refusal !== null) return refusal
    if (view === null) return refuse('not_found')
    if (args.hash !== undefined && args.hash !== view.hash) return refuse('hash_conflict')
    return show(stage, updateView(stage, view, fieldsOf(args.view)))
  },
}
