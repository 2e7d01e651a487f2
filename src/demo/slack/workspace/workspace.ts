/** Everything that the stand-in remembers: one Slack workspace with one app installed in it. */
import type { Channel } from './channels.ts'
import type { StoredFile } from './files.ts'
import type { Message } from './messages.ts'
import type { User, UserGroup } from './people.ts'
import type { ResponseUrl, Trigger } from './triggers.ts'
import type { Stacks } from './views.ts'

export interface Team {
  readonly id: string
  readonly name: string
  readonly domain: string
}

export interface Workspace {
  readonly team: Team
  readonly users: Map<string, User>
  readonly groups: Map<string, UserGroup>
  readonly channels: Map<string, Channel>
  /** In the order of their ts, over all channels; deleted and ephemeral ones included. */
  readonly messages: Message[]
  readonly files: Map<string, StoredFile>
  readonly stacks: Stacks
  readonly triggers: Map<string, Trigger>
  readonly responseUrls: Map<string, ResponseUrl>
  /** Microseconds of the newest ts, so that none is given out twice. */
  lastTs: number
}

/** Slack's message id: seconds and microseconds, unique in the workspace here (in Slack: in the channel). */
export function nextTs(workspace: Workspace, nowMs: number): string {
  workspace.lastTs = Math.max(workspace.lastTs + 1, nowMs * 1000)
  return `${Math.floor(workspace.lastTs / 1e6)}.${String(workspace.lastTs % 1e6).padStart(6, '0')}`
}

/** Nothing was ever said in it; people and channels stay. */
export function clearWorkspace(workspace: Workspace): void {
  workspace.messages.length = 0
  for (const held of [workspace.files, workspace.stacks, workspace.triggers, workspace.responseUrls]) held.clear()
  workspace.lastTs = 0
}

/** Messages of a channel that stand now and that everybody sees. */
export function standingMessages(workspace: Workspace, channel: string): Message[] {
  return workspace.messages.filter((one) => one.channel === channel && one.deletedAtMs === null && one.onlyFor === null)
}

/** A message that everybody sees and that was not deleted. */
export function findMessage(workspace: Workspace, channel: string, ts: string): Message | null {
  return (
    workspace.messages.find((one) => one.ts === ts && one.channel === channel && one.deletedAtMs === null && one.onlyFor === null) ?? null
  )
}

export function repliesTo(workspace: Workspace, root: Message): Message[] {
  return standingMessages(workspace, root.channel).filter((one) => one.threadTs === root.ts)
}

/** The message under which replies stand: one that was deleted too, as long as it has some. */
export function findRoot(workspace: Workspace, channel: string, ts: string): Message | null {
  const found = findMessage(workspace, channel, ts)
  if (found !== null) return found.threadTs === null ? found : findRoot(workspace, channel, found.threadTs)
  const gone = workspace.messages.find((one) => one.ts === ts && one.channel === channel && one.onlyFor === null && one.threadTs === null)
  return gone !== undefined && repliesTo(workspace, gone).length > 0 ? gone : null
}
