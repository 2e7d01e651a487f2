/** Every method's refusals, as Slack names them, and what its answer looks like. */
import { describe, expect, test } from 'vitest'
import type { Fields } from '../../../src/demo/slack/json.ts'
import { methods } from '../../../src/demo/slack/methods/index.ts'
import { allScopes, demoApp } from '../../../src/demo/slack/settings.ts'
import type { Stand } from './open-stand-in.ts'
import { CHANNEL, openStandIn, upload } from './open-stand-in.ts'

/** Things that the rows below speak of. */
interface Scene {
  readonly mine: string
  readonly theirs: string
  readonly ephemeral: string
  readonly file: string
}

async function scene(stand: Stand): Promise<Scene> {
  const mine = await stand.post()
  const theirs = stand.observer.say({ user: 'U0AMARA', channel: CHANNEL, text: 'mine' })!
  const shown = await stand.call('chat.postEphemeral', { channel: CHANNEL, user: 'U0AMARA', text: 'psst' })
  return { mine, theirs, ephemeral: String(shown.message_ts), file: await upload(stand) }
}

const modal = { type: 'modal', title: { type: 'plain_text', text: 'Why?' }, blocks: [] }
const header = (text: string): Fields => ({ type: 'header', text: { type: 'plain_text', text } })
const many = (count: number): Fields[] => Array.from({ length: count }, () => ({ type: 'divider' }))

describe('refusals', () => {
  test.each<[method: string, args: (scene: Scene) => Fields, error: string]>([
    ['chat.postMessage', () => ({ text: 'x' }), 'invalid_arguments'],
    ['chat.postMessage', () => ({ channel: CHANNEL }), 'no_text'],
    ['chat.postMessage', () => ({ channel: 'C0NOWHERE', text: 'x' }), 'channel_not_found'],
    ['chat.postMessage', () => ({ channel: 'G0PRIVATE', text: 'x' }), 'channel_not_found'],
    ['chat.postMessage', () => ({ channel: 'C0DATA', text: 'x' }), 'not_in_channel'],
    ['chat.postMessage', () => ({ channel: 'C0OLD', text: 'x' }), 'is_archived'],
    ['chat.postMessage', () => ({ channel: CHANNEL, text: 'x', thread_ts: '1.000001' }), 'thread_not_found'],
    ['chat.postMessage', () => ({ channel: CHANNEL, blocks: '{not json' }), 'invalid_blocks_format'],
    ['chat.postMessage', () => ({ channel: CHANNEL, blocks: many(51) }), 'invalid_blocks'],
    ['chat.postMessage', () => ({ channel: CHANNEL, text: 'x', metadata: '{' }), 'invalid_metadata_format'],
    ['chat.postMessage', () => ({ channel: CHANNEL, text: 'x', metadata: { event_type: 'a' } }), 'invalid_metadata_schema'],
    [
      'chat.postMessage',
      () => ({ channel: CHANNEL, text: 'x', metadata: { event_type: 'a', event_payload: { list: [1] } } }),
      'invalid_metadata_schema',
    ],
    ['chat.postMessage', () => ({ channel: CHANNEL, text: 'x', markdown_text: 'y' }), 'markdown_text_conflict'],
    [
      'chat.postMessage',
      () => ({ channel: CHANNEL, text: 'x', attachments: Array.from({ length: 101 }, () => ({})) }),
      'too_many_attachments',
    ],
    ['chat.postEphemeral', () => ({ channel: CHANNEL, text: 'x' }), 'invalid_arguments'],
    ['chat.postEphemeral', () => ({ channel: CHANNEL, user: 'U0FINN', text: 'x' }), 'user_not_in_channel'],
    ['chat.postEphemeral', () => ({ channel: 'C0DATA', user: 'U0AMARA', text: 'x' }), 'not_in_channel'],
    ['chat.update', ({ mine }) => ({ channel: CHANNEL, ts: mine, text: 'x'.repeat(4_001) }), 'msg_too_long'],
    ['chat.update', ({ theirs }) => ({ channel: CHANNEL, ts: theirs, text: 'x' }), 'cant_update_message'],
    ['chat.update', ({ ephemeral }) => ({ channel: CHANNEL, ts: ephemeral, text: 'x' }), 'message_not_found'],
    ['chat.update', ({ mine }) => ({ channel: CHANNEL, ts: mine }), 'no_text'],
    ['chat.update', ({ mine }) => ({ channel: 'C0NOWHERE', ts: mine, text: 'x' }), 'channel_not_found'],
    ['chat.delete', ({ theirs }) => ({ channel: CHANNEL, ts: theirs }), 'cant_delete_message'],
    ['chat.delete', ({ ephemeral }) => ({ channel: CHANNEL, ts: ephemeral }), 'message_not_found'],
    ['chat.getPermalink', () => ({ channel: CHANNEL, message_ts: '1.000001' }), 'message_not_found'],
    ['conversations.info', () => ({ channel: 'G0PRIVATE' }), 'channel_not_found'],
    ['conversations.history', () => ({ channel: 'C0DATA' }), 'not_in_channel'],
    ['conversations.history', () => ({ channel: 'G0PRIVATE' }), 'channel_not_found'],
    ['conversations.history', () => ({ channel: CHANNEL, oldest: 'yesterday' }), 'invalid_ts_oldest'],
    ['conversations.history', () => ({ channel: CHANNEL, latest: 'now' }), 'invalid_ts_latest'],
    ['conversations.history', () => ({ channel: CHANNEL, cursor: 'nonsense' }), 'invalid_cursor'],
    ['conversations.replies', () => ({ channel: CHANNEL, ts: '1.000001' }), 'thread_not_found'],
    ['conversations.join', () => ({ channel: 'G0PRIVATE' }), 'channel_not_found'],
    ['conversations.join', () => ({ channel: 'C0OLD' }), 'is_archived'],
    ['conversations.list', () => ({ types: 'public_channel,secret' }), 'invalid_types'],
    ['conversations.list', () => ({ limit: 1_001 }), 'invalid_limit'],
    ['conversations.members', () => ({ channel: 'G0PRIVATE' }), 'channel_not_found'],
    ['conversations.open', () => ({ users: 'U0NOBODY' }), 'user_not_found'],
    ['files.getUploadURLExternal', () => ({ filename: 'a.png', length: 0 }), 'missing_argument'],
    ['files.getUploadURLExternal', () => ({ filename: 'a.png' }), 'invalid_arguments'],
    ['files.completeUploadExternal', () => ({ files: [{ id: 'F0NOFILE00' }] }), 'file_not_found'],
    ['files.completeUploadExternal', ({ file }) => ({ files: [{ id: file }], channel_id: 'C0DATA' }), 'not_in_channel'],
    ['files.completeUploadExternal', ({ file }) => ({ files: [{ id: file }], channel_id: 'G0PRIVATE' }), 'channel_not_found'],
    ['files.info', () => ({ file: 'F0NOFILE00' }), 'file_not_found'],
    ['files.delete', () => ({ file: 'F0NOFILE00' }), 'file_not_found'],
    ['views.open', () => ({ view: modal, trigger_id: 'made.up.id' }), 'invalid_trigger_id'],
    ['views.open', () => ({ view: modal }), 'invalid_arguments'],
    ['views.open', () => ({ view: { ...modal, title: undefined }, trigger_id: 'made.up.id' }), 'invalid_arguments'],
    ['views.push', () => ({ view: modal, trigger_id: 'made.up.id' }), 'invalid_trigger_id'],
    ['views.update', () => ({ view: modal, view_id: 'V0NOVIEW00' }), 'not_found'],
    ['users.info', () => ({ user: 'U0NOBODY' }), 'user_not_found'],
    ['usergroups.users.list', () => ({ usergroup: 'S0NOGROUP' }), 'no_such_subteam'],
    ['pins.add', () => ({ channel: CHANNEL }), 'no_item_specified'],
    ['pins.add', () => ({ channel: CHANNEL, timestamp: 'then' }), 'bad_timestamp'],
    ['pins.add', () => ({ channel: CHANNEL, timestamp: '1.000001' }), 'message_not_found'],
    ['reactions.add', ({ mine }) => ({ channel: CHANNEL, timestamp: mine, name: ':eyes:' }), 'invalid_name'],
    ['reactions.add', () => ({ channel: CHANNEL, timestamp: '1.000001', name: 'eyes' }), 'message_not_found'],
    ['bookmarks.add', () => ({ channel_id: CHANNEL, title: 'x', type: 'link', link: 'javascript:x' }), 'invalid_link'],
    ['bookmarks.add', () => ({ channel_id: CHANNEL, title: 'x', type: 'canvas' }), 'invalid_bookmark_type'],
    ['bookmarks.add', () => ({ channel_id: 'C0DATA', title: 'x', type: 'link', link: 'https://a.test' }), 'access_denied'],
    ['bookmarks.edit', () => ({ channel_id: CHANNEL, bookmark_id: 'Bk0' }), 'not_found'],
    ['bookmarks.remove', () => ({ channel_id: CHANNEL, bookmark_id: 'Bk0' }), 'not_found'],
    ['blocks.validate', () => ({}), 'invalid_arguments'],
    ['blocks.validate', () => ({ blocks: [{ type: 'divder' }] }), 'invalid_blocks'],
    ['blocks.validate', () => ({ view: { type: 'modal', blocks: [] } }), 'invalid_view'],
    ['admin.users.remove', () => ({}), 'unknown_method'],
  ])('%s %o → %s', async (method, args, error) => {
    const stand = await openStandIn()
    const channel = stand.workspace.channels.get(CHANNEL)!
    stand.workspace.channels.set('C0OLD', { ...channel, id: 'C0OLD', name: 'old', archived: true })
    const answer = await stand.call(method, args(await scene(stand)))
    expect(answer).toMatchObject({ ok: false, error })
  })

  test('a thing that was done once is not done twice', async () => {
    const stand = await openStandIn()
    const ts = await stand.post()
    expect(await stand.call('pins.add', { channel: CHANNEL, timestamp: ts })).toEqual({ ok: true })
    expect(await stand.call('pins.add', { channel: CHANNEL, timestamp: ts })).toMatchObject({ error: 'already_pinned' })
    await stand.call('reactions.add', { channel: CHANNEL, timestamp: ts, name: 'eyes' })
    expect(await stand.call('reactions.add', { channel: CHANNEL, timestamp: ts, name: 'eyes' })).toMatchObject({ error: 'already_reacted' })
    await stand.call('chat.delete', { channel: CHANNEL, ts })
    expect(await stand.call('chat.delete', { channel: CHANNEL, ts })).toMatchObject({ error: 'message_not_found' })
  })

  test('in a channel that was archived meanwhile', async () => {
    const stand = await openStandIn()
    const ts = await stand.post()
    stand.observer.archive(CHANNEL)
    expect(await stand.call('chat.update', { channel: CHANNEL, ts, text: 'x' })).toMatchObject({ error: 'is_inactive' })
    expect(await stand.call('chat.postMessage', { channel: CHANNEL, text: 'x' })).toMatchObject({ error: 'is_archived' })
  })
})

describe('tokens and scopes', () => {
  test.each<[string, string, string, string]>([
    ['no token', 'auth.test', '', 'not_authed'],
    ['a foreign token', 'auth.test', 'xoxb-other', 'invalid_auth'],
    ['the app token for a bot method', 'chat.postMessage', demoApp.appToken, 'not_allowed_token_type'],
    ['the bot token for Socket Mode', 'apps.connections.open', demoApp.botToken, 'not_allowed_token_type'],
  ])('%s', async (_, method, token, error) => {
    const stand = await openStandIn()
    expect(await stand.call(method, { channel: CHANNEL, text: 'x' }, token)).toMatchObject({ ok: false, error })
  })

  test('every method that wants a scope says which one is missing, and which there are', async () => {
    const stand = await openStandIn({ app: { ...demoApp, scopes: ['commands'] } })
    for (const method of methods.filter((one) => one.scopes.length > 0)) {
      expect(await stand.call(method.name)).toEqual({
        ok: false,
        error: 'missing_scope',
        needed: method.scopes.join(','),
        provided: 'commands',
      })
    }
  })

  test('reading a private channel needs another scope than a public one', async () => {
    const scopes = allScopes.filter((scope) => !scope.startsWith('groups:'))
    const stand = await openStandIn({ app: { ...demoApp, scopes } })
    stand.observer.invite('G0PRIVATE', demoApp.botUserId)
    expect(await stand.call('conversations.history', { channel: CHANNEL })).toMatchObject({ ok: true })
    expect(await stand.call('conversations.history', { channel: 'G0PRIVATE' })).toMatchObject({
      error: 'missing_scope',
      needed: 'groups:history',
    })
  })

  test('granted and accepted scopes come with every answer', async () => {
    const stand = await openStandIn()
    const { headers } = await stand.request('files.info', { file: 'F0' })
    expect(headers.get('x-oauth-scopes')).toBe(allScopes.join(','))
    expect(headers.get('x-accepted-oauth-scopes')).toBe('files:read')
  })
})

describe('answers', () => {
  test('a message is posted, edited, found with its metadata, and keeps all its versions for a test to see', async () => {
    const stand = await openStandIn()
    const metadata = { event_type: 'headwater_message', event_payload: { slot: 'home', edition: 1 } }
    const ts = await stand.post({ text: 'first', metadata, blocks: [header('first')] })
    await stand.call('chat.update', { channel: CHANNEL, ts, text: 'second', blocks: [header('second')] })
    const read = await stand.call('conversations.history', { channel: CHANNEL, include_all_metadata: true })
    expect(read.messages).toMatchObject([{ ts, text: 'second', metadata, bot_id: demoApp.botId, edited: { user: demoApp.botUserId } }])
    expect((await stand.call('conversations.history', { channel: CHANNEL })).messages).not.toHaveProperty('0.metadata')
    expect(stand.observer.messages(CHANNEL)[0]!.versions.map((one) => one.text)).toEqual(['first', 'second'])
  })

  test('an update with text alone takes the blocks away; one with an empty object takes the metadata away', async () => {
    const stand = await openStandIn()
    const ts = await stand.post({ blocks: [header('a')], metadata: { event_type: 't', event_payload: {} } })
    const answer = await stand.call('chat.update', { channel: CHANNEL, ts, text: 'b', metadata: {} })
    expect(answer).toMatchObject({ ok: true, text: 'b', message: { text: 'b' } })
    expect(answer.message).not.toHaveProperty('blocks')
    expect(answer.message).not.toHaveProperty('metadata')
  })

  test('text beyond 40,000 characters is cut off when posting', async () => {
    const stand = await openStandIn()
    await stand.post({ text: 'x'.repeat(40_001) })
    expect(stand.observer.messages(CHANNEL)[0]!.now.text).toHaveLength(40_000)
  })

  test('blocks that are right one by one may still be too long together', async () => {
    const stand = await openStandIn()
    const section = { type: 'section', text: { type: 'mrkdwn', text: 'x'.repeat(2_650) } }
    expect(await stand.post({ blocks: Array(4).fill(section) })).toMatch(/^\d/)
    expect(await stand.post({ blocks: Array(5).fill(section) })).toBe('refused: msg_blocks_too_long')
  })

  test('a thread: replies oldest first under their root, in the channel only where broadcast, and they outlive the root', async () => {
    const stand = await openStandIn()
    const root = await stand.post({ text: 'root' })
    const quiet = await stand.post({ text: 'quiet', thread_ts: root })
    const loud = await stand.post({ text: 'loud', thread_ts: quiet, reply_broadcast: true })
    const ofThread = await stand.call('conversations.replies', { channel: CHANNEL, ts: root })
    expect(ofThread.messages).toMatchObject([
      { ts: root, reply_count: 2, latest_reply: loud },
      { ts: quiet, thread_ts: root },
      { ts: loud },
    ])
    const ofChannel = await stand.call('conversations.history', { channel: CHANNEL })
    expect(ofChannel.messages).toMatchObject([{ ts: loud, subtype: 'thread_broadcast' }, { ts: root }])
    stand.observer.deleteMessage(CHANNEL, root)
    expect(await stand.post({ text: 'still', thread_ts: root })).toMatch(/^\d/)
    const after = await stand.call('conversations.replies', { channel: CHANNEL, ts: root })
    expect(after.messages).toMatchObject([{ subtype: 'tombstone' }, { ts: quiet }, { ts: loud }, { text: 'still' }])
  })

  test('history comes newest first, in pages, within a window', async () => {
    const stand = await openStandIn()
    const all: string[] = []
    for (const text of ['1', '2', '3']) {
      all.push(await stand.post({ text }))
      await stand.clock.advance(1_000)
    }
    const first = await stand.call('conversations.history', { channel: CHANNEL, limit: 2 })
    expect(first).toMatchObject({ has_more: true, messages: [{ ts: all[2] }, { ts: all[1] }] })
    const { next_cursor: cursor } = first.response_metadata as { next_cursor: string }
    expect(await stand.call('conversations.history', { channel: CHANNEL, limit: 2, cursor })).toMatchObject({
      has_more: false,
      messages: [{ ts: all[0] }],
    })
    const after = await stand.call('conversations.history', { channel: CHANNEL, oldest: all[1] })
    expect(after.messages).toMatchObject([{ ts: all[2] }])
    const from = await stand.call('conversations.history', { channel: CHANNEL, oldest: all[1], inclusive: true })
    expect(from.messages).toMatchObject([{ ts: all[2] }, { ts: all[1] }])
  })

  test('the app joins a public channel and can then post there; a person is reached directly', async () => {
    const stand = await openStandIn()
    expect(await stand.call('conversations.join', { channel: 'C0DATA' })).toMatchObject({ ok: true, channel: { is_member: true } })
    expect(await stand.call('conversations.join', { channel: 'C0DATA' })).toMatchObject({ ok: true, warning: 'already_in_channel' })
    expect(await stand.post({ channel: '#data-platform' })).toMatch(/^\d/)
    expect(await stand.call('chat.postMessage', { channel: 'U0BEN', text: 'hi' })).toMatchObject({
      ok: true,
      channel: expect.stringMatching(/^D/),
    })
  })

  test('people, groups, channels', async () => {
    const stand = await openStandIn()
    expect(await stand.call('users.info', { user: 'U0EVE' })).toMatchObject({
      user: { is_restricted: true, tz: 'Europe/Oslo', is_bot: false },
    })
    expect(await stand.call('users.info', { user: 'U0FINN' })).toMatchObject({ user: { is_stranger: true, team_id: 'T0PARTNER' } })
    expect(await stand.call('usergroups.list', { include_users: true })).toMatchObject({
      usergroups: [{ id: 'S0OWNERS', users: ['U0BEN', 'U0CHIO'] }],
    })
    expect(await stand.call('usergroups.users.list', { usergroup: 'S0OWNERS' })).toEqual({ ok: true, users: ['U0BEN', 'U0CHIO'] })
    expect(await stand.call('conversations.info', { channel: 'C0PARTNER' })).toMatchObject({
      channel: { is_ext_shared: true, is_member: true },
    })
    expect(await stand.call('conversations.members', { channel: 'C0PARTNER' })).toMatchObject({
      members: ['U0AMARA', 'U0FINN', demoApp.botUserId],
    })
    const listed = await stand.call('conversations.list', { types: 'public_channel,private_channel' })
    expect((listed.channels as Fields[]).map((one) => one.name)).toEqual(['inc-orders', 'data-platform', 'ext-partner'])
  })

  test('a bookmark is added, changed, listed and removed', async () => {
    const stand = await openStandIn()
    const added = await stand.call('bookmarks.add', { channel_id: CHANNEL, title: 'Runbook', type: 'link', link: 'https://a.test' })
    const { id } = added.bookmark as { id: string }
    await stand.call('bookmarks.edit', { channel_id: CHANNEL, bookmark_id: id, title: 'Book' })
    expect(await stand.call('bookmarks.list', { channel_id: CHANNEL })).toMatchObject({
      bookmarks: [{ id, title: 'Book', link: 'https://a.test' }],
    })
    await stand.call('bookmarks.remove', { channel_id: CHANNEL, bookmark_id: id })
    expect(await stand.call('bookmarks.list', { channel_id: CHANNEL })).toMatchObject({ bookmarks: [] })
  })

  test('the permalink leads to the page with the message', async () => {
    const stand = await openStandIn()
    const ts = await stand.post()
    const { permalink } = await stand.call('chat.getPermalink', { channel: CHANNEL, message_ts: ts })
    const { headers } = await fetch(String(permalink), { redirect: 'manual' })
    expect(new URL(headers.get('location')!, stand.url).searchParams.get('at')).toBe(ts)
  })

  test('JSON bodies are read as well as forms', async () => {
    const stand = await openStandIn()
    const headers = { authorization: `Bearer ${demoApp.botToken}`, 'content-type': 'application/json; charset=utf-8' }
    const body = JSON.stringify({ channel: CHANNEL, blocks: [header('from JSON')] })
    const answer = await fetch(`${stand.apiUrl}chat.postMessage`, { method: 'POST', headers, body })
    expect(await answer.json()).toMatchObject({ ok: true })
  })
})
