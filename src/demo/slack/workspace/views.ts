/** Modals: each person looks at a stack of at most three of them. */
import type { Fields } from '../json.ts'
import { fieldsOf, textOf } from '../json.ts'
import type { AppSettings } from '../settings.ts'

/** What a person has entered: block_id → action_id → as in a payload's state.values. */
export type Entered = Readonly<Record<string, Readonly<Record<string, Fields>>>>

export interface View {
  readonly id: string
  readonly user: string
  readonly rootId: string
  readonly previousId: string | null
  /** As the app sent it, with a block_id in each block and an action_id in each element. */
  readonly content: Fields
  /** Changes with every update; views.update may bind itself to it. */
  readonly hash: string
  readonly entered: Entered
  /** Shown below blocks after response_action "errors": block_id → text. */
  readonly errors: Readonly<Record<string, string>>
  /** What the person is told when the app did not answer; null = nothing. */
  readonly trouble: string | null
}

export const MOST_VIEWS_IN_A_STACK = 3

/** Person → views, the visible one last. */
export type Stacks = Map<string, readonly View[]>

export function topView(stacks: Stacks, user: string): View | null {
  return stacks.get(user)?.at(-1) ?? null
}

export function findView(stacks: Stacks, by: { readonly id?: string; readonly externalId?: string }): View | null {
  for (const stack of stacks.values()) {
    const found = stack.find((view) =>
      by.id === undefined ? by.externalId !== undefined && view.content.external_id === by.externalId : view.id === by.id,
    )
    if (found !== undefined) return found
  }
  return null
}

export function replaceView(stacks: Stacks, view: View): void {
  const stack = stacks.get(view.user) ?? []
  stacks.set(
    view.user,
    stack.map((one) => (one.id === view.id ? view : one)),
  )
}

/** As views.* answers and payloads show it. */
export function viewJson(view: View, app: AppSettings, team: string): Fields {
  const { content } = view
  return {
    id: view.id,
    team_id: team,
    type: textOf(content.type),
    blocks: content.blocks ?? [],
    private_metadata: textOf(content.private_metadata),
    callback_id: textOf(content.callback_id),
    external_id: textOf(content.external_id),
    state: { values: view.entered },
    hash: view.hash,
    title: fieldsOf(content.title),
    close: content.close ?? null,
    submit: content.submit ?? null,
    clear_on_close: content.clear_on_close === true,
    notify_on_close: content.notify_on_close === true,
    root_view_id: view.rootId,
    previous_view_id: view.previousId,
    app_id: app.id,
    app_installed_team_id: team,
    bot_id: app.botId,
  }
}
