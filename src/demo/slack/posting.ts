/** Putting messages into channels and changing them: one place for the app's calls, its response_urls, people and Slack itself. */
import type { Backstage } from './backstage.ts'
import { withIds } from './blocks/elements.ts'
import { limits } from './blocks/limits.ts'
import type { Fields } from './json.ts'
import { fileJson } from './workspace/files.ts'
import type { Author, Message, MessageContext } from './workspace/messages.ts'
import { messageJson, standing } from './workspace/messages.ts'
import { nextTs, repliesTo } from './workspace/workspace.ts'

export interface Content {
  readonly text: string
  readonly blocks: readonly Fields[]
  readonly attachments: readonly Fields[]
  readonly metadata: Fields | null
}

export interface Place {
  readonly channel: string
  readonly threadTs: string | null
  readonly author: Author
  readonly broadcast?: boolean
  readonly onlyFor?: string | null
  readonly files?: readonly string[]
}

export function putMessage(stage: Backstage, place: Place, content: Content): Message {
  const message: Message = {
    channel: place.channel,
    ts: nextTs(stage.workspace, stage.today()),
    threadTs: place.threadTs,
    broadcast: place.broadcast ?? false,
    author: place.author,
    onlyFor: place.onlyFor ?? null,
    versions: [version(stage, content)],
    files: place.files ?? [],
    reactions: new Map(),
    pinned: false,
    deletedAtMs: null,
    inHistoryAtMs: stage.clock.now() + stage.chance.between(stage.settings.weather.historyLagMs),
  }
  stage.workspace.messages.push(message)
  stage.news.tell()
  return message
}

/** Content that is not given (null) stays as it was. */
export function changeMessage(
  stage: Backstage,
  message: Message,
  change: { readonly [part in keyof Content]: Content[part] | null },
): void {
  const before = standing(message)
  message.versions.push(
    version(stage, {
      text: change.text ?? before.text,
      blocks: change.blocks ?? before.blocks,
      attachments: change.attachments ?? before.attachments,
      metadata: change.metadata ?? before.metadata,
    }),
  )
  stage.news.tell()
}

export function removeMessage(stage: Backstage, message: Message): void {
  message.deletedAtMs = stage.today()
  stage.news.tell()
}

function version(stage: Backstage, content: Content): Message['versions'][number] {
  const { metadata, attachments } = content
  const blocks = withIds(content.blocks, stage.chance)
  return { atMs: stage.today(), text: content.text.slice(0, limits.postText), blocks, attachments, metadata }
}

/** As the API and payloads show it. */
export function showMessage(stage: Backstage, message: Message, withMetadata: boolean): Fields {
  const { workspace, settings, clock } = stage
  const at = { base: stage.base(), user: settings.app.botUserId, nowMs: clock.now() }
  const context: MessageContext = {
    app: settings.app,
    team: workspace.team.id,
    replies: repliesTo(workspace, message),
    fileJson: (id) => fileJson(workspace.files.get(id)!, at),
  }
  return messageJson(message, context, withMetadata)
}
