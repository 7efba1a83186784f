import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import pino from 'pino'
import { afterEach, beforeEach, expect, it } from 'vitest'
import { threadValues } from '../../src/client/features/room-chat/thread-variants.ts'
import { updateProfile } from '../../src/server/features/profiles/update-profile.ts'
import { blockUser } from '../../src/server/features/relations/block-user.ts'
import { loadRoomPage } from '../../src/server/features/rooms/pages.ts'
import { openForWriting } from '../../src/server/kernel/database/open.ts'
import type { Actor } from '../../src/server/kernel/database/transaction.ts'
import { authentication, type PageSession } from '../../src/server/kernel/http/authentication.ts'
import { ensureBuild } from '../../src/server/kernel/render/build.ts'
import type * as Bundle from '../../src/server/kernel/render/bundle.tsx'
import { stopClock } from '../../src/server/testing/fixtures/stop-clock.ts'
import {
  openTestRegion,
  type TestClient,
  type TestRegion,
  type TestUser,
} from '../../src/server/testing/fixtures/test-region.ts'
import { Refusal } from '../../src/shared/protocol/refusals.ts'
import type { RoomPageProps } from '../../src/shared/rooms/page-props.ts'

const VIEWERS = 30
const ROOMS = [1, 2, 3]
const bundleUrl = pathToFileURL(join((await ensureBuild(pino({ level: 'silent' }))).folder, 'server/bundle.js')).href
/** Another query is another instance of the module, with a cache of its own. */
const importBundle = (instance: number): Promise<typeof Bundle> => import(`${bundleUrl}?instance=${instance}`)

let site: TestRegion
beforeEach(async () => {
  site = await openTestRegion({ MEYDAN_LIMIT_SCALE: '1000' })
})
afterEach(() => site.destroy())

it('[ROOM-25] the page of each of thirty kinds of viewer equals the one that is rendered without a cache', async () => {
  stopClock()
  const authors = await Promise.all(['ada', 'can', 'deniz', 'ece'].map((name) => site.createRootAdmin(name)))
  const clients = await Promise.all(authors.map((author) => site.connectAs(author)))
  for (const roomId of ROOMS) await fillRoom(clients, roomId)
  restrictMessage(2)
  const warm = await importBundle(0)
  let shared = 0
  let mentioned = 0

  for (let index = 1; index <= VIEWERS; index++) {
    for (const client of clients) client.pong() // on a slow machine the pages take longer than a client may be silent
    const session = await createViewer(index, authors)
    if (index % 10 === 0) await changeSomething(index, authors, clients)
    const fresh = await importBundle(index)
    for (const roomId of ROOMS) {
      const page = loadPage(roomId, session)
      const expected = renderRoom(fresh, page)
      expect(renderRoom(warm, page)).toEqual(expected)
      expect(renderRoom(warm, page)).toEqual(expected)
    }
    const page = loadPage(1, session)
    if (threadValues(page).at(-1) === null) shared++
    const { html } = renderRoom(warm, page)
    expect(html).toContain('class="quote"')
    if (html.includes('data-self="true"')) mentioned++
  }
  // Two of the authors, and every tenth viewer.
  expect(mentioned).toBe(2 + VIEWERS / 10)
  // All authors, and every tenth viewer, have a thread of their own.
  expect(shared).toBe(VIEWERS - 4 - VIEWERS / 10)
})

/** Sixty messages with links, mentions, markup and replies; one of room 2 is for its author only. */
async function fillRoom(clients: TestClient[], roomId: number): Promise<void> {
  for (const client of clients) await client.request('joinRoom', { roomId })
  const ids: number[] = []
  for (let number = 0; number < (roomId === 3 ? 3 : 60); number++) {
    const content =
      [`Merhaba ${number}`, '@ada @deniz nasılsınız?', 'https://example.com/a?b=1&c=<d>', '👍'][number % 4] ?? ''
    ids.push(await send(clients, roomId, number, content, number % 5 === 4 ? ids.at(-3) : undefined))
  }
}

/** Only its author sees the room's latest message, and its quote in an answer. */
function restrictMessage(roomId: number): void {
  const database = openForWriting(site.appContext.config.databaseFile)
  database
    .prepare("update message set audience = 'actor' where id = (select max(id) from message where roomId = ?)")
    .run(roomId)
  database.close()
}

async function send(clients: TestClient[], roomId: number, number: number, content: string, replyToId?: number) {
  const answer = await clients[(number >> 1) % clients.length]?.request('sendMessage', {
    roomId,
    content: `${content} ${number}`,
    clientId: randomUUID(),
    ...(replyToId !== undefined && { replyTo: { id: replyToId } }),
  })
  if (!answer || !('success' in answer)) throw new Error(JSON.stringify(answer))
  return Number(answer.id)
}

/** Guests, members and root admins; inside and outside of the room; with and without a block; some are authors. */
async function createViewer(index: number, authors: TestUser[]): Promise<PageSession> {
  const user = await createUser(index, authors)
  if (index % 2 === 0) await site.connectAs(user, (index % 3) + 1)
  const found = site.appContext.service(authentication).findSessionUser(site.appContext.reader, user)
  if (!found) throw new Error('the session has ended')
  const actor: Actor = { userId: user.userId, sessionId: user.sessionId, role: found.user.role }
  const blocked = authors[index % 4]
  if (index % 3 === 0 && blocked && blocked.userId !== user.userId) {
    const answer = await site.appContext.execute(blockUser, actor, {
      blockedUsername: blocked.username,
    })
    if (answer instanceof Refusal) throw new Error(answer.body.code)
  }
  return { actor, person: found.person, token: user.token }
}

async function createUser(index: number, authors: TestUser[]): Promise<TestUser> {
  const author = authors[(index - 1) / 8]
  if (author) return author
  if (index % 10 === 7) return site.createMember(`uye${index}`)
  if (index % 10 === 3) return site.createRootAdmin(`Yönetici${index}`)
  return site.createGuest(`g${index}`)
}

/** What changes the pages: messages, of which one mentions the viewer and one answers it, and a new avatar. */
async function changeSomething(index: number, [author]: TestUser[], clients: TestClient[]): Promise<void> {
  await send(clients, 3, 0, 'Hoş geldiniz')
  for (const client of clients) await client.request('joinRoom', { roomId: 1 })
  const id = await send(clients, 1, index, `@g${index} hoş geldin`)
  await send(clients, 1, index / 5, '👍', id)
  for (const client of clients) await client.request('joinRoom', { roomId: 3 })
  if (index === 20 && author) {
    const actor: Actor = { ...author, role: 'rootadmin' }
    await site.appContext.execute(updateProfile, actor, { columns: { avatarUrl: '/uploads/ada.webp' } })
  }
}

function loadPage(roomId: number, session: PageSession) {
  const page = loadRoomPage(site.appContext, roomId, session)
  if (page instanceof Refusal) throw new Error(page.body.code)
  return page
}

function renderRoom(bundle: typeof Bundle, page: RoomPageProps) {
  return bundle.renderPage('room/[id]', page, {}, false)
}
