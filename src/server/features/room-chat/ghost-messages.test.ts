import { randomUUID } from 'node:crypto'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import type { Role } from '../../../shared/accounts/protocol.ts'
import { CONSECUTIVE_MESSAGES_PAUSE_MS, MAX_CONSECUTIVE_MESSAGES } from '../../../shared/room-chat/limits.ts'
import type { Message } from '../../../shared/room-chat/message.ts'
import type { Claims } from '../../kernel/database/transaction.ts'
import { NO_BLOCKS, type Viewer } from '../../kernel/live/visibility.ts'
import { listLatestMessages, listMessages } from '../../model/conversations/room-messages.ts'
import { getLastVisibleMessageId } from '../../model/site-status/queries.ts'
import { openTestDatabase, type TestDatabase } from '../../testing/fixtures/test-database.ts'
import { searchMessages } from '../message-search/search-messages.ts'

let site: TestDatabase
let root: Claims
let kaba: Claims
let can: Claims
let ece: Claims
beforeEach(async () => {
  site = await openTestDatabase()
  const id = site.addMember('yönetici', 'rootadmin')
  root = { userId: id, sessionId: id }
  ;[kaba, can, ece] = [guestLogin('kaba'), guestLogin('can'), guestLogin('ece')]
})
afterEach(() => site.close())

function guestLogin(username: string): Claims {
  const input = { username, gender: null, platform: 'web' }
  return site.run({ command: 'openGuestSession', input }).answer as Claims // of openGuestSession
}

function ghostBan(username = 'kaba') {
  site.run({ command: 'ghostBanGuest', actor: root, input: { username, duration: 'indefinite' } })
  site.clock.now += 1
}

function send(actor: Claims, content: string, { roomId = 1, replyToId = 0, mediaId = 0 } = {}) {
  const clientId = randomUUID()
  const { answer, refusal } = site.run({
    command: 'sendMessage',
    actor,
    clientId,
    input: {
      roomId,
      content,
      clientId,
      inRoomForMs: 60_000,
      ...(replyToId && { replyTo: { id: replyToId } }),
      ...(mediaId && { mediaId }),
    },
  })
  site.clock.now += 1_000
  return { id: (answer as { id: number } | undefined)?.id ?? 0, code: refusal?.code }
}

const viewer = ({ userId, sessionId }: Claims, role: Role = 'guest'): Viewer => ({
  userId,
  sessionId,
  role,
  blockedIds: NO_BLOCKS,
})
const viewers = () => ({ root: viewer(root, 'rootadmin'), kaba: viewer(kaba), can: viewer(can) })
type Reads = Record<string, (by: Viewer, text?: string) => { content: string; isGhost?: true | undefined }[]>
/** Every read that answers with messages of a room: pages, joining, history in both directions, and search. */
const reads: Reads = {
  page: (by) => listLatestMessages(site.read, 1, by),
  historyBefore: (by) =>
    listMessages(site.read, by, { roomId: 1, id: Number.MAX_SAFE_INTEGER, side: 'before' }).messages,
  historyAfter: (by) => listMessages(site.read, by, { roomId: 1, id: 0, side: 'after' }).messages,
  search: (by) => {
    site.run({ command: 'indexMessages' })
    return searchMessages(site.read, { viewer: by, roomId: 1, text: 'elma' }).messages.toReversed()
  },
}

describe.each(Object.keys(reads))('%s', (name) => {
  const textsSeenBy = (by: Viewer) =>
    reads[name]?.(by).map(({ content, isGhost }) => (isGhost ? `${content} (hayalet)` : content))

  it('[GHOST-10] shows what a ghost writes to the ghost and, marked, to root admins; it stays so after the ban', () => {
    send(kaba, 'önce elma')
    ghostBan()
    send(kaba, 'gizli elma')
    send(can, 'can elma')
    const expected = {
      root: ['Önce elma', 'Gizli elma (hayalet)', 'Can elma'],
      kaba: ['Önce elma', 'Gizli elma', 'Can elma'],
      can: ['Önce elma', 'Can elma'],
    }
    const { root: admin, kaba: ghost, can: bystander } = viewers()
    const seen = () => ({ root: textsSeenBy(admin), kaba: textsSeenBy(ghost), can: textsSeenBy(bystander) })
    expect(seen()).toEqual(expected)
    site.run({ command: 'liftBan', actor: root, input: { username: 'kaba' } })
    expect(seen()).toEqual(expected)
    send(kaba, 'sonra elma')
    expect(seen().can).toEqual([...expected.can, 'Sonra elma'])
  })

  it('[GHOST-10] is full for bystanders, however much ghosts have written', () => {
    for (let i = 1; i <= 15; i++) {
      send(i % 2 ? can : ece, `elma ${i}`)
    }
    ghostBan()
    const insert = site.db.prepare(
      "insert into message (roomId, senderId, content, consecutiveCount, audience, clientId, createdAt) values (1, ?, 'elma', 1, 'actor', ?, 0)",
    )
    site.db.transaction(() => {
      for (let i = 0; i < 3_000; i++) insert.run(kaba.userId, `${i}`)
    })()
    if (name === 'search') for (let i = 0; i < 10; i++) site.run({ command: 'indexMessages' })
    expect(textsSeenBy(viewers().can)).toHaveLength(15)
  })
})

describe('a reply to what a ghost has written', () => {
  const quotes = (messages: readonly Message[]) => messages.map(({ replyTo }) => replyTo?.content)
  const page = (by: Viewer) => listMessages(site.read, by, { roomId: 1, id: 0, side: 'after' }).messages

  it('[GHOST-12] is quoted by the ghost alone: a reply of a root admin quotes nothing', () => {
    ghostBan()
    const { id } = send(kaba, 'gizli elma')
    send(root, 'elma cevabı', { replyToId: id })
    send(kaba, 'kendi cevabı', { replyToId: id })
    expect(quotes(page(viewers().can))).toEqual([undefined])
    for (const name of ['kaba', 'root'] as const)
      expect(quotes(page(viewers()[name]))).toEqual([undefined, undefined, 'Gizli elma'])
  })

  it('[GHOST-12] quotes nothing for all, like an invented id, where its author cannot see the ghost’s message', () => {
    ghostBan()
    const { id } = send(kaba, 'gizli elma')
    const guessed = send(can, 'elma tahmini', { replyToId: id })
    send(can, 'kendi tahmini', { replyToId: guessed.id + 5 })
    for (const by of Object.values(viewers())) expect(quotes(page(by)).slice(-2)).toEqual([null, null])
  })
})

it('[GHOST-13] a ghost mentions nobody: no event and no notification', () => {
  ghostBan()
  send(kaba, 'selam @can ve @yönetici')
  const count = (sql: string) => site.db.prepare(sql).pluck().get()
  expect(count('select count(*) from notification')).toBe(0)
  expect(count("select count(*) from event where name in ('mentionNotification', 'newNotification')")).toBe(0)
  send(can, 'selam @kaba')
  expect(count(`select count(*) from notification where recipientId = ${kaba.userId}`)).toBe(1)
})

describe('the limit on consecutive messages', () => {
  it('[GHOST-14] counts for a ghost as before', () => {
    ghostBan()
    for (let i = 0; i < MAX_CONSECUTIVE_MESSAGES; i++) expect(send(kaba, `${i}`).code).toBeUndefined()
    expect(send(kaba, 'fazla').code).toBe('TooManyInARow')
    send(can, 'araya giren')
    expect(send(kaba, 'yine').code).toBeUndefined()
  })

  it('[GHOST-14] is not reset for others by a ghost', () => {
    ghostBan()
    for (let i = 0; i < MAX_CONSECUTIVE_MESSAGES; i++) {
      expect(send(can, `${i}`).code).toBeUndefined()
      send(kaba, `${i}`)
    }
    expect(send(can, 'fazla').code).toBe('TooManyInARow')
    site.clock.now += CONSECUTIVE_MESSAGES_PAUSE_MS
    expect(send(can, 'sonra').code).toBeUndefined()
  })

  it('[GHOST-14] is the same in the writer’s memory and in its rows', () => {
    send(can, 'bir')
    ghostBan()
    send(kaba, 'gizli')
    const counts = () =>
      site.db.prepare('select consecutiveCount from message where senderId = ? order by id').pluck().all(can.userId)
    send(can, 'iki')
    // Another write empties the writer's memory.
    guestLogin('sonradan')
    send(can, 'üç')
    expect(counts()).toEqual([1, 2, 3])
  })
})

it('[GHOST-15] the last message of a room is a ghost’s for the ghost alone', () => {
  const last = send(can, 'son').id
  ghostBan()
  const own = send(kaba, 'gizli').id
  expect(getLastVisibleMessageId(site.read, 1, viewers().can)).toBe(last)
  expect(getLastVisibleMessageId(site.read, 1, null)).toBe(last)
  expect(getLastVisibleMessageId(site.read, 1, viewers().kaba)).toBe(own)
})

describe('removal', () => {
  const removals = () =>
    site.db
      .prepare("select stream, audience from event where name = 'removeBannedMessages' order by stream")
      .all() as object[]

  it('[GHOST-16] of a ghost’s messages tells nobody of a room in which all of them were hidden', () => {
    send(kaba, 'herkese')
    ghostBan()
    send(kaba, 'gizli')
    send(kaba, 'gizli', { roomId: 2 })
    site.run({ command: 'banUser', actor: root, input: { username: 'kaba', duration: '10min', banReason: 'Diğer' } })
    expect(removals()).toEqual([
      { stream: 'room:1', audience: null },
      { stream: 'room:2', audience: 'actor' },
    ])
    site.run({ command: 'deleteRemovedMessages' })
    expect(listMessages(site.read, viewers().root, { roomId: 2, id: 0, side: 'after' }).messages).toEqual([])
  })

  it('[GHOST-16] of all messages of a room removes those of ghosts too', () => {
    ghostBan()
    send(kaba, 'gizli')
    site.run({ command: 'clearRoomMessages', actor: root, input: { roomId: 1 } })
    send(can, 'yeni')
    site.run({ command: 'deleteRemovedMessages' })
    expect(site.db.prepare('select content from message').pluck().all()).toEqual(['Yeni'])
  })
})

it('[GHOST-10] a page passes over hidden rows in the index of the room', () => {
  const plan = (where: string) =>
    (
      site.db.prepare(`explain query plan select content from message where roomId = 1 and ${where}`).all() as {
        detail: string
      }[]
    ).map(({ detail }) => detail)
  const pageOf = '(audience is null or senderId = +7 or +0 = 1) order by id desc limit 41'
  expect(plan(`id < 99 and ${pageOf}`)).toEqual(['SEARCH message USING INDEX messageByRoom (roomId=? AND id<?)'])
  expect(plan('audience is null order by id desc limit 1')).toEqual([
    'SEARCH message USING INDEX messageByRoom (roomId=?)',
  ])
})
