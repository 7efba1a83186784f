import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import type { Locator, Page } from 'playwright-core'
import { describe, expect } from 'vitest'
import { expectAnswer, LiveConnection, signIn, signInAsGuest } from '../drivers/live-connection.ts'
import { createSiteRootAdmin, type SiteProcess } from '../drivers/site-process.ts'
import { type ChatPage, MEMBER_PASSWORD } from './chat-page.ts'
import { journey } from './journey.ts'

/** Allows for a busy machine. */
const SLOW_POLL = { timeout: 60_000 }

let nameCount = 0
/** A name that no earlier try of the journey has used. */
const uniqueName = (start: string) => `${start}${++nameCount}`

/** Writes to the database past the commands: old messages, and changes that no command makes yet. */
function updateSiteDatabase(site: SiteProcess, run: (db: Sqlite.Database) => void): void {
  const db = new Sqlite(join(site.dataFolder, 'meydan.db'), { timeout: 20_000 })
  db.transaction(() => run(db))()
  db.close()
}

/** A guest in a room, without a browser and without the wait before the first message. */
class RoomSpeaker {
  readonly connection: LiveConnection
  readonly id: number
  readonly roomId: number
  private readonly token: string

  private constructor(connection: LiveConnection, id: number, roomId: number, token: string) {
    this.connection = connection
    this.id = id
    this.roomId = roomId
    this.token = token
  }

  static async connect(site: SiteProcess, roomId: number, username: string): Promise<RoomSpeaker> {
    const { token, user } = await signInAsGuest(site.origin, username)
    // A room's admins are exempt from its waits.
    updateSiteDatabase(site, (db) =>
      db.prepare('insert into roomAdmin (roomId, userId) values (?, ?)').run(roomId, user.id),
    )
    return new RoomSpeaker(await RoomSpeaker.enter(site, token, roomId), user.id, roomId, token)
  }

  private static async enter(site: SiteProcess, token: string, roomId: number): Promise<LiveConnection> {
    const { connection } = await LiveConnection.open(site.origin, token)
    expectAnswer(await connection.request('joinRoom', { roomId }))
    return connection
  }

  /** Sends a message; resolves with its id. */
  async sendMessage(content: string, replyTo?: number): Promise<number> {
    const quoted = replyTo === undefined ? {} : { replyTo: { id: replyTo } }
    const outcome = await this.connection.request('sendMessage', {
      ...{ roomId: this.roomId, content, clientId: randomUUID(), ...quoted },
    })
    return expectAnswer(outcome).id ?? 0
  }

  /** Signs up under another name; the connection stays open. */
  async registerAs(site: SiteProcess, username: string): Promise<void> {
    const answer = await fetch(`${site.origin}/api/users/register`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${this.token}` },
      body: JSON.stringify({ username, password: MEMBER_PASSWORD, age: 27, termsAccepted: true }),
    })
    expect(await answer.json()).toMatchObject({ success: true, user: { id: this.id, username } })
  }
}

/** Inserts so many messages that the one before them is not loaded with the one after. */
function insertFillerMessages(site: SiteProcess, roomId: number, senderId: number): void {
  updateSiteDatabase(site, (db) => {
    const insert = db.prepare(
      `insert into message (roomId, senderId, content, consecutiveCount, audience, clientId, createdAt)
       values (?, ?, ?, 0, null, ?, ?)`,
    )
    for (let i = 0; i < 60; i++) insert.run(roomId, senderId, `Dolgu ${i}`, randomUUID(), Date.now())
  })
}

/** Resolves with the page when its thread is live. */
async function waitForThread(visitor: ChatPage): Promise<Page> {
  const { page } = visitor
  await page.locator('m-island[data-live]').filter({ has: visitor.messageLog }).waitFor()
  return page
}

const bubbleRow = ({ messageLog, page }: ChatPage, text: string): Locator =>
  messageLog.locator('.bubble-row').filter({ has: page.locator('.bubble-text').getByText(text, { exact: true }) })
const mentionListbox = (page: Page): Locator => page.getByRole('listbox', { name: 'Bahsedilecek kişi' })
const profileDialog = (page: Page): Locator => page.getByRole('dialog', { name: 'Profil' })

/** Resolves when no text and no accessible label of the page contains any of these. */
async function waitUntilAbsent(page: Page, ...texts: string[]): Promise<void> {
  await page.waitForFunction((gone) => {
    const labels = [...document.querySelectorAll('[aria-label]')].map((one) => one.getAttribute('aria-label'))
    const all = [document.title, document.body.innerText, ...labels].join('\n')
    return gone.every((text) => !all.includes(text))
  }, texts)
}

describe('a renamed user', () => {
  journey(
    '[CHAT-41] [PRES-11] has the new name in messages, quotes, the user list, mentions and an open profile',
    async ({ site, desktop }) => {
      const [oldName, newName] = [uniqueName('Eskiad'), uniqueName('Yeniad')]
      const speaker = await RoomSpeaker.connect(site, 3, oldName)
      const neighbour = await RoomSpeaker.connect(site, 3, uniqueName('Komşu'))
      await neighbour.sendMessage('katılıyorum', await speaker.sendMessage('benim sözüm'))
      const [reader, observer] = [
        await (await desktop()).openRoomAsGuest(uniqueName('Okur'), 3),
        await (await desktop()).openRoomAsGuest(uniqueName('Bakar'), 3),
      ]
      await waitForThread(reader)
      await reader.composer.pressSequentially('@eski')
      await mentionListbox(reader.page).getByText(oldName).waitFor()
      const page = await waitForThread(observer)
      await bubbleRow(observer, 'Benim sözüm').hover()
      await bubbleRow(observer, 'Benim sözüm')
        .getByRole('button', { name: /^Yanıtla:/ })
        .click()
      await page.locator('.reply-bar').getByText(oldName).waitFor()
      await observer.messageLog.getByRole('button', { name: oldName, exact: true }).click()
      await profileDialog(page).getByRole('heading', { name: oldName }).waitFor()

      await speaker.registerAs(site, newName)
      await profileDialog(page).getByRole('heading', { name: newName }).waitFor()
      await page.locator('.reply-bar').getByText(newName).waitFor()
      for (const visitor of [reader, observer]) {
        await waitUntilAbsent(visitor.page, oldName)
        await bubbleRow(visitor, 'Katılıyorum').locator('.quote').getByText(newName).waitFor()
        await visitor.page.locator('.person', { hasText: newName }).first().waitFor()
      }
      expect(await mentionListbox(reader.page).count()).toBe(0)
      await reader.composer.fill('@yeni')
      await mentionListbox(reader.page).getByText(newName).waitFor()
    },
  )
})

describe('a quote', () => {
  journey(
    '[CHAT-23] leads to an original outside the loaded window, and says when it is removed',
    async ({ site, desktop }) => {
      const speaker = await RoomSpeaker.connect(site, 4, uniqueName('Sözcü'))
      const original = await speaker.sendMessage('çok önce söylenen')
      insertFillerMessages(site, 4, speaker.id)
      await speaker.sendMessage('ona cevap', original)
      const reader = await (await desktop()).openRoomAsGuest(uniqueName('Okur'), 4)
      const page = await waitForThread(reader)
      expect(await bubbleRow(reader, 'Çok önce söylenen').count()).toBe(0)
      const quote = bubbleRow(reader, 'Ona cevap').getByRole('button', { name: /^Yanıtlanan/ })
      await quote.focus()
      await page.keyboard.press('Enter')
      await bubbleRow(reader, 'Çok önce söylenen').and(page.locator(':focus')).waitFor()

      await page.getByRole('button', { name: 'En alta in' }).click()
      await quote.waitFor()
      updateSiteDatabase(site, (db) => db.prepare('delete from message where id = ?').run(original))
      await quote.click()
      await page.getByText('Bu mesaj artık görünmüyor.').first().waitFor()
    },
  )
})

describe('a banned user', () => {
  journey(
    '[MOD-10] [MOD-22] [CHAT-40] has no messages on any screen and no unsent messages in the own tab',
    async ({ site, desktop }) => {
      const rootName = uniqueName('Yetkin')
      const session = await signIn(site.origin, rootName, await createSiteRootAdmin(site, rootName))
      const { adminToken } = session
      const { connection: root } = await LiveConnection.open(site.origin, session.token, { adminToken })
      const badName = uniqueName('Kaba')
      const speaker = await RoomSpeaker.connect(site, 2, badName)
      const polite = await RoomSpeaker.connect(site, 2, uniqueName('Nazik'))
      await speaker.sendMessage('elma kötüsöz eski')
      insertFillerMessages(site, 2, polite.id)
      await polite.sendMessage('kınıyorum', await speaker.sendMessage('elma kötüsöz yeni'))
      const [searcher, writer, banned] = [
        await (await desktop()).openRoomAsGuest(uniqueName('Arayan'), 2),
        await (await desktop()).openRoomAsGuest(uniqueName('Yazan'), 2),
        await (await desktop()).openRoomAsGuest(uniqueName('Öfkeli')),
      ]

      // The searcher has scrolled up, replies and searches.
      const page = await waitForThread(searcher)
      const newest = bubbleRow(searcher, 'Elma kötüsöz yeni')
      await newest.hover()
      await newest.getByRole('button', { name: /^Yanıtla:/ }).click()
      await page.locator('.reply-bar').getByText('Elma kötüsöz yeni').waitFor()
      await searcher.messageLog.hover()
      await expect
        .poll(async () => {
          await page.mouse.wheel(0, -2_000)
          return bubbleRow(searcher, 'Elma kötüsöz eski').count()
        }, SLOW_POLL)
        .toBe(1)
      await speaker.sendMessage('elma kötüsöz sonra')
      await page.getByRole('button', { name: '1 yeni mesaj' }).waitFor()
      await page.getByRole('button', { name: 'Mesajlarda ara' }).click()
      const found = page.getByRole('listbox', { name: 'Bulunan mesajlar' }).getByRole('option')
      await expect
        .poll(async () => {
          // A new message is indexed a little after it is sent.
          await page.getByRole('combobox', { name: 'Mesajlarda ara' }).fill('')
          await page.getByRole('combobox', { name: 'Mesajlarda ara' }).fill('elma')
          await found.first().waitFor()
          return found.count()
        }, SLOW_POLL)
        .toBe(3)

      // The writer is about to mention the speaker, and sees them typing.
      await waitForThread(writer)
      await expect
        .poll(async () => {
          expectAnswer(await speaker.connection.request('typing', { roomId: 2 }))
          return writer.page.getByText(`${badName} yazıyor`).isVisible()
        }, SLOW_POLL)
        .toBe(true)
      await writer.composer.pressSequentially('@kab')
      await mentionListbox(writer.page).getByText(badName).waitFor()

      expectAnswer(await root.request('banUser', { targetname: badName, duration: '10min', banReason: 'Diğer' }))
      for (const visitor of [searcher, writer]) await waitUntilAbsent(visitor.page, 'kötüsöz', badName)
      expect(await page.locator('.reply-bar').count()).toBe(0)
      expect(await page.locator('.unread-divider').count()).toBe(0)
      expect(await page.getByRole('button', { name: /yeni mesaj/ }).count()).toBe(0)
      await bubbleRow(writer, 'Kınıyorum').getByText('Yanıtlanan mesaj artık görünmüyor.').waitFor()

      // The page may ask for its lists just when the ban comes.
      banned.errors.allow(/status of 403/)
      // The outbox keeps unsent messages across a reload.
      await banned.page.evaluate(
        ([userId, clientId]) => {
          const input = { roomId: 5, content: 'Kötüsöz bekleyen', clientId }
          const entry = { clientId, name: 'sendMessage', input, createdAt: Date.now(), failure: null }
          sessionStorage.setItem('outbox', JSON.stringify({ userId, entries: [entry] }))
        },
        [findUserId(site, nameCount), randomUUID()] as const,
      )
      await banned.page.goto('/room/2')
      await waitForThread(banned)
      const targetname = `Öfkeli${nameCount}`
      expectAnswer(await root.request('banUser', { targetname, duration: '10min', banReason: 'Diğer' }))
      await banned.page.waitForURL((url) => url.pathname === '/')
      expect(await banned.page.evaluate(() => sessionStorage.getItem('outbox'))).toBeNull()
      updateSiteDatabase(site, (db) => db.prepare('update ban set liftedAt = at').run())
      root.terminate()
    },
  )
})

function findUserId(site: SiteProcess, name: number): number {
  const db = new Sqlite(join(site.dataFolder, 'meydan.db'), { readonly: true })
  const id = db.prepare('select id from user where username = ?').pluck().get(`Öfkeli${name}`)
  db.close()
  return Number(id)
}
