/** Who looks at the page: names, pictures and times depend on it. */
import type { Backstage } from '../backstage.ts'
import { isShowable } from '../workspace/files.ts'
import type { Author } from '../workspace/messages.ts'
import { authorId } from '../workspace/messages.ts'

export interface Reader {
  readonly user: string
  /** IANA zone of the browser. */
  readonly zone: string
  readonly nowMs: number
  readonly userName: (id: string) => string
  readonly groupName: (id: string) => string
  readonly channelName: (id: string) => string
  /** Address of an uploaded picture; null = Slack would show none (not ready, deleted, not there). */
  readonly picture: (file: string) => string | null
  readonly isMe: (id: string) => boolean
}

export function readerOf(stage: Backstage, user: string, zone: string): Reader {
  const { users, groups, channels, files } = stage.workspace
  return {
    user,
    zone: isZone(zone) ? zone : 'UTC',
    nowMs: stage.today(),
    userName: (id) => users.get(id)?.realName ?? id,
    groupName: (id) => groups.get(id)?.handle ?? id,
    channelName: (id) => channels.get(id)?.name ?? id,
    picture: (file) => (isShowable(files.get(file), stage.clock.now()) ? `/page/file/${encodeURIComponent(file)}` : null),
    isMe: (id) => id === user || (groups.get(id)?.members.includes(user) ?? false),
  }
}

export function authorName(stage: Backstage, author: Author): string {
  if (author.kind === 'app') return stage.settings.app.name
  if (author.kind === 'slack') return 'Slackbot'
  return author.kind === 'other_app'
    ? author.name
    : (stage.workspace.users.get(authorId(author, stage.settings.app))?.realName ?? author.id)
}

function isZone(zone: string): boolean {
  try {
    return new Intl.DateTimeFormat('en', { timeZone: zone }).resolvedOptions().timeZone !== ''
  } catch {
    return false
  }
}
