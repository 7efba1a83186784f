import type Sqlite from 'better-sqlite3'
import type { Locator } from 'playwright-core'
import sharp from 'sharp'
import { type Site, updateSiteDatabase } from '../drivers/site.ts'
import type { ChatPage } from '../journeys/chat-page.ts'
import { enterRoomWhenListed, type Screen, searchUntilFound, waitForUserList } from './screen-steps.ts'

const TEXTS = [
  'Selam! Dünkü konserden sonra eve rahat dönebildin mi?',
  'Döndüm, son vapura yetiştim :)',
  'Fotoğrafları akşam yollarım.',
  'Süper olur, bekliyorum. Bir de hafta sonu için plan yapalım mı, hava çok güzel olacakmış.',
  'Olur, cumartesi öğleden sonra sahilde buluşalım.',
]
const DAY_MS = 24 * 60 * 60_000

/** Enters with conversations with three users; resolves with the name of the one who wrote last. */
async function enterWithConversations(visitor: ChatPage, site: Site): Promise<string> {
  const name = await enterRoomWhenListed(visitor)
  const lastName = site.changeDatabase((db) => {
    const others = db
      .prepare<[string], { id: number; username: string }>(
        "select distinct id, username from user where username != ? and role = 'guest' order by id limit 3",
      )
      .all(name)
    const own = db.prepare<[string], { id: number }>('select id from user where username = ?').get(name)
    if (!own || others.length < 3) throw new Error('nobody to talk to')
    others.forEach((other, index) => {
      const at = Date.now() - (2 - index) * DAY_MS
      insertConversation(db, { ownId: own.id, otherId: other.id, at, read: index < 2 })
    })
    return others[2]?.username ?? ''
  })
  await visitor.page.goto('/room/1')
  await visitor.waitForRoom()
  return lastName
}

function insertConversation(
  db: Sqlite.Database,
  { ownId, otherId, at, read }: { ownId: number; otherId: number; at: number; read: boolean },
): void {
  const run = (sql: string, ...values: unknown[]) => Number(db.prepare(sql).run(...values).lastInsertRowid)
  const [low, high] = [Math.min(ownId, otherId), Math.max(ownId, otherId)]
  const conversation = run(
    'insert into conversation (lowUserId, highUserId, createdById, createdAt) values (?, ?, ?, ?)',
    low,
    high,
    ownId,
    at,
  )
  // The last message is the viewer's own where all is read.
  const texts = read ? TEXTS : [...TEXTS, 'Geliyor musun?']
  const ids = texts.map((content, index) =>
    run(
      'insert into directMessage (conversationId, senderId, content, clientId, createdAt) values (?, ?, ?, ?, ?)',
      conversation,
      index % 2 ? otherId : ownId,
      content,
      crypto.randomUUID(),
      at - (texts.length - index) * 60_000,
    ),
  )
  const last = ids.at(-1) ?? 0
  for (const [userId, otherUserId, unread] of [
    [ownId, otherId, read ? 0 : 1],
    [otherId, ownId, 0],
  ])
    run(
      `insert into conversationSide (userId, conversationId, otherUserId, lastMessageId, lastReadId, unreadCount,
        deletedUpToId, hasWritten, allowsMedia) values (?, ?, ?, ?, ?, ?, 0, 1, 0)`,
      userId,
      conversation,
      otherUserId,
      last,
      unread ? last - 1 : last,
      unread,
    )
}

async function openList({ page }: ChatPage): Promise<void> {
  await page.getByRole('button', { name: /^Mesajlar(,|$)/ }).click()
}

async function openWindow(visitor: ChatPage, username: string): Promise<Locator> {
  await openList(visitor)
  await visitor.page.locator('.conversation-open').filter({ hasText: username }).click()
  const window = visitor.page.getByRole('dialog', { name: username })
  await window.getByRole('log').waitFor()
  return window
}

/** Opens a window and sends a picture with a text and a voice note. */
async function openWithMedia(visitor: ChatPage, site: Site): Promise<Locator> {
  const username = await enterWithConversations(visitor, site)
  for (const column of ['messageImagePrivacy', 'messageAudioPrivacy'])
    updateSiteDatabase(site, `update user set ${column} = 'everyone' where username = '${username}'`)
  await waitForUserList(visitor)
  const window = await openWindow(visitor, username)
  const gradient = Buffer.from(
    `<svg xmlns="http://www.w3.org/2000/svg" width="1200" height="800"><linearGradient id="g" x2="0" y2="1">
      <stop stop-color="#2b3a67"/><stop offset=".6" stop-color="#e08e45"/><stop offset="1" stop-color="#3d2b1f"/>
    </linearGradient><rect width="1200" height="800" fill="url(#g)"/></svg>`,
  )
  const buffer = await sharp(gradient).jpeg().toBuffer()
  await window.locator('input[data-files]').setInputFiles({ name: 'sahil.jpg', mimeType: 'image/jpeg', buffer })
  await window.getByText('sahil.jpg').waitFor()
  await window.getByRole('textbox', { name: 'Mesaj yaz' }).fill('Dün akşamki gün batımı')
  await window.getByRole('textbox', { name: 'Mesaj yaz' }).press('Enter')
  await window.locator('.bubble-row[data-status=sent] img[src^="/uploads/"]').waitFor()
  return window
}

/** The list of conversations and their windows. */
export const directMessageScreens: Screen[] = [
  {
    name: 'dm-list-empty',
    open: async (visitor) => {
      await enterRoomWhenListed(visitor)
      await waitForUserList(visitor)
      await openList(visitor)
      await visitor.page.getByText('Henüz bir mesajın yok!').waitFor()
    },
  },
  {
    name: 'dm-list',
    open: async (visitor, site) => {
      await enterWithConversations(visitor, site)
      await visitor.page.getByRole('button', { name: 'Mesajlar, 1 okunmamış' }).waitFor()
      await waitForUserList(visitor)
      await openList(visitor)
      await visitor.page.locator('.conversation').nth(2).waitFor()
    },
  },
  {
    name: 'dm-window',
    open: async (visitor, site) => {
      const username = await enterWithConversations(visitor, site)
      await waitForUserList(visitor)
      await openWindow(visitor, username)
    },
  },
  {
    name: 'dm-search',
    open: async (visitor, site) => {
      const username = await enterWithConversations(visitor, site)
      await waitForUserList(visitor)
      const window = await openWindow(visitor, username)
      // The search index follows commands of the running site, not rows that a test inserts.
      await window.getByRole('textbox', { name: 'Mesaj yaz' }).fill('Bir dahaki konsere birlikte gidelim')
      await window.getByRole('textbox', { name: 'Mesaj yaz' }).press('Enter')
      await window.locator('.bubble-row').getByText('Bir dahaki konsere birlikte gidelim').waitFor()
      await window.getByRole('button', { name: 'Konuşma işlemleri' }).click()
      await visitor.page.getByRole('menuitem', { name: 'Mesajlarda ara' }).click()
      await searchUntilFound(visitor.page, 'konser', 2)
    },
  },
  {
    name: 'dm-window-blocked',
    open: async (visitor, site) => {
      const username = await enterWithConversations(visitor, site)
      updateSiteDatabase(
        site,
        `insert into block (blockerId, blockedId, createdAt) select other.userId, other.otherUserId, 1 from conversationSide other, user
         where user.id = other.userId and user.username = '${username}' order by other.conversationId desc limit 1`,
      )
      await waitForUserList(visitor)
      await openWindow(visitor, username)
      await visitor.page.getByPlaceholder('Kullanıcı sizi engelledi').waitFor()
    },
  },
  {
    name: 'dm-voice-note',
    open: async (visitor, site) => {
      const username = await enterWithConversations(visitor, site)
      updateSiteDatabase(site, `update user set messageAudioPrivacy = 'everyone' where username = '${username}'`)
      await waitForUserList(visitor)
      // The room's composer has a recorder too.
      const window = await openWindow(visitor, username)
      await window.getByRole('button', { name: 'Ses kaydet' }).click()
      await window.getByRole('timer').filter({ hasText: '0:01' }).waitFor()
      await window.getByRole('button', { name: 'Kaydı bitir' }).click()
      await window.getByRole('button', { name: 'Ses kaydını gönder' }).waitFor()
    },
  },
  {
    name: 'dm-media',
    open: async (visitor, site) => {
      const window = await openWithMedia(visitor, site)
      await window.getByRole('button', { name: 'Ses kaydet' }).click()
      await window.getByRole('timer').filter({ hasText: '0:02' }).waitFor()
      await window.getByRole('button', { name: 'Kaydı bitir' }).click()
      await window.getByRole('button', { name: 'Ses kaydını gönder' }).click()
      await window.locator('.bubble-row[data-status=sent] .audio-player').waitFor()
    },
  },
  {
    name: 'dm-viewer',
    open: async (visitor, site) => {
      const window = await openWithMedia(visitor, site)
      await window.getByRole('button', { name: 'Fotoğrafı büyüt' }).click()
      const viewer = visitor.page.getByRole('dialog', { name: 'Resimler ve videolar' })
      await viewer.locator('.spinner').waitFor({ state: 'detached' })
    },
  },
]
