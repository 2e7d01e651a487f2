/**
 * A chat as nasty as people report Slack to be: a fresh post is missing when it is looked for at once, a file is not ready for some
 * seconds, an answer gets lost although the work was done, work is done a minute late or twice. Same plan, same behaviour.
 */
import type { Chat, Outcome, Posting } from '../../src/workflow/incident-ports.ts'

/** What becomes of one call; times in ms. */
export type Fate =
  | { readonly kind: 'well' }
  /** Nothing is done. */
  | { readonly kind: 'refused'; readonly code: string; readonly retryAfterMs: number | null; readonly forGood: boolean }
  /** Nobody hears an answer; the work is done so much later, null = never. */
  | { readonly kind: 'lost'; readonly workAfterMs: number | null }
  /** The work is done twice, the answer names the second. */
  | { readonly kind: 'twice' }

export interface ChatCall {
  readonly what: keyof Chat
  readonly slot: string
  readonly atMs: number
}

export interface StandingMessage {
  readonly ts: string
  readonly channel: string
  readonly threadTs: string | null
  slot: string
  edition: number
  text: string
  posting: Posting
  readonly shownFromMs: number
  removed: boolean
}

export interface SlowChat extends Chat {
  readonly calls: readonly ChatCall[]
  /** Messages that stand now, oldest first. */
  readonly standing: () => readonly StandingMessage[]
  /** What people were told alone. */
  readonly told: readonly { readonly user: string; readonly text: string }[]
  /** Most copies of one slot that stood at a time. */
  readonly mostCopies: () => number
  /** When the last fault struck, or its late work was done; 0 = never. */
  readonly lastFaultMs: () => number
}

export interface SlowChatOptions {
  readonly nowMs: () => number
  /** @param n number of the call, from 1 */
  readonly fateOf?: (n: number, call: ChatCall) => Fate
  /** How long a post is missing when it is looked for. */
  readonly hiddenMs?: number
  readonly fileReadyMs?: number
  /** Channels that the app is no member of. */
  readonly closed?: ReadonlySet<string>
}

const well: Fate = { kind: 'well' }
/** Slack's clock is behind ours. */
const clockOffMs = -3_000

export function slowChat(options: SlowChatOptions): SlowChat {
  const { nowMs, fateOf = () => well, hiddenMs = 5_000, fileReadyMs = 6_000, closed = new Set() } = options
  const calls: ChatCall[] = []
  const messages: StandingMessage[] = []
  const told: { user: string; text: string }[] = []
  const files = new Map<string, number>()
  const late: { readonly atMs: number; readonly work: () => void }[] = []
  let lastFault = 0
  let count = 0
  let most = 0

  /** When late work is done, it is done at its own time. */
  let workingAt: number | null = null
  const time = (): number => workingAt ?? nowMs()
  /** What is late and due by now is done first. */
  const catchUp = (): void => {
    late.sort((a, b) => a.atMs - b.atMs)
    for (let one = late[0]; one !== undefined && one.atMs <= nowMs(); one = late[0]) {
      late.shift()
      workingAt = one.atMs
      lastFault = Math.max(lastFault, one.atMs)
      one.work()
    }
    workingAt = null
  }

  const call = async <T>(what: keyof Chat, slot: string, work: () => Outcome<T>): Promise<Outcome<T>> => {
    catchUp()
    const one: ChatCall = { what, slot, atMs: nowMs() }
    calls.push(one)
    const fate = fateOf(calls.length, one)
    if (fate.kind !== 'well') lastFault = nowMs()
    switch (fate.kind) {
      case 'well':
        return work()
      case 'twice':
        work()
        return work()
      case 'refused':
        return fate
      case 'lost':
        if (fate.workAfterMs === 0) work()
        else if (fate.workAfterMs !== null) late.push({ atMs: nowMs() + fate.workAfterMs, work })
        return { kind: 'unknown', why: 'no answer' }
    }
  }

  const refused = (code: string): Outcome<never> => ({ kind: 'refused', code, retryAfterMs: null, forGood: true })
  const done = <T>(value: T): Outcome<T> => ({ kind: 'done', value })
  const isReady = (file: string): boolean => (files.get(file) ?? Number.POSITIVE_INFINITY) <= time()
  const at = (ts: string): StandingMessage | undefined => messages.find((one) => one.ts === ts && !one.removed)

  const post = (posting: Posting): Outcome<{ readonly ts: string }> => {
    const { channel, threadTs, slot, edition, text, picture } = posting
    if (closed.has(channel)) return refused('not_in_channel')
    if (threadTs !== null && at(threadTs) === undefined) return refused('thread_not_found')
    if (picture !== null && !isReady(picture.file)) return refused('file_not_ready')
    const ts = `${((time() + clockOffMs) / 1000).toFixed(3)}${String(++count).padStart(3, '0')}`
    messages.push({ ts, channel, threadTs, slot, edition, text, posting, shownFromMs: time() + hiddenMs, removed: false })
    most = Math.max(most, messages.filter((one) => one.slot === slot && !one.removed).length)
    return done({ ts })
  }

  return {
    calls,
    told,
    standing() {
      catchUp()
      return messages.filter((one) => !one.removed)
    },
    mostCopies: () => most,
    lastFaultMs: () => lastFault,
    post: (posting) => call('post', posting.slot, () => post(posting)),
    edit: ({ ts, ...posting }) =>
      call('edit', posting.slot, () => {
        const message = at(ts)
        if (message === undefined) return refused('message_not_found')
        if (posting.picture !== null && !isReady(posting.picture.file)) return refused('file_not_ready')
        Object.assign(message, { edition: posting.edition, text: posting.text, posting })
        return done(null)
      }),
    remove: (_, ts) =>
      call('remove', at(ts)?.slot ?? '', () => {
        const message = at(ts)
        if (message === undefined) return refused('message_not_found')
        message.removed = true
        return done(null)
      }),
    find: ({ channel, threadTs, slot, sinceMs }) =>
      call('find', slot, () => {
        if (closed.has(channel)) return refused('not_in_channel')
        const there = messages.filter((one) => one.channel === channel && one.threadTs === threadTs && one.slot === slot && !one.removed)
        return done(
          there.filter((one) => one.shownFromMs <= nowMs() && Number(one.ts) * 1000 >= sinceMs).map(({ ts, edition }) => ({ ts, edition })),
        )
      }),
    upload: () =>
      call('upload', '', () => {
        const file = `F${files.size + 1}`
        files.set(file, time() + fileReadyMs)
        return done({ file })
      }),
    ready: (file) => call('ready', '', () => done(isReady(file))),
    tellAlone: ({ actor }, text) =>
      call('tellAlone', '', () => {
        told.push({ user: actor.user, text })
        return done(null)
      }),
    permalink: (channel, ts) => call('permalink', '', () => done(`https://slack.example/archives/${channel}/p${ts}`)),
  }
}
