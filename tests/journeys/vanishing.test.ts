import { randomUUID } from 'node:crypto'
import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import type { Locator, Page } from 'playwright-core'
import { describe, expect } from 'vitest'
import { enterAsGuest, granted, LiveLine, signIn } from '../live-line.ts'
import { makeRootAdmin, type Site } from '../site.ts'
import { journey } from './journey.ts'
import { MEMBER_PASSWORD, type Visitor } from './visitor.ts'

/** Of a machine that is busy. */
const PATIENT = { timeout: 60_000 }

let names = 0
/** A name that nobody has: a story that is played again may meet the people of its first time. */
const named = (start: string) => `${start}${++names}`

/** Past the commands: what a feature of later will do, or what was said long ago. */
function change(site: Site, run: (db: Sqlite.Database) => void): void {
  const db = new Sqlite(join(site.dataFolder, 'meydan.db'), { timeout: 20_000 })
  db.transaction(() => run(db))()
  db.close()
}

/** Somebody who is in a room without a browser, and may talk there at once. */
class Speaker {
  readonly line: LiveLine
  readonly id: number
  readonly roomId: number
  private readonly token: string

  private constructor(line: LiveLine, id: number, roomId: number, token: string) {
    this.line = line
    this.id = id
    this.roomId = roomId
    this.token = token
  }

  static async comesTo(site: Site, roomId: number, username: string): Promise<Speaker> {
    const { token, user } = await enterAsGuest(site.origin, username)
    // Its admins are bound by none of a room's waits.
    change(site, (db) => db.prepare('insert into roomAdmin (roomId, userId) values (?, ?)').run(roomId, user.id))
    return new Speaker(await Speaker.enter(site, token, roomId), user.id, roomId, token)
  }

  private static async enter(site: Site, token: string, roomId: number): Promise<LiveLine> {
    const { line } = await LiveLine.open(site.origin, token)
    granted(await line.ask('joinRoom', { roomId }))
    return line
  }

  /** Says something and answers its id. */
  async say(content: string, replyTo?: number): Promise<number> {
    const quoted = replyTo === undefined ? {} : { replyTo: { id: replyTo } }
    const said = await this.line.ask('sendMessage', {
      ...{ roomId: this.roomId, content, clientId: randomUUID(), ...quoted },
    })
    return granted(said).id ?? 0
  }

  /** Becomes a member by another name, and stays where they are. */
  async isNow(site: Site, username: string): Promise<void> {
    const answer = await fetch(`${site.origin}/api/users/register`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${this.token}` },
      body: JSON.stringify({ username, password: MEMBER_PASSWORD, age: 27, termsAccepted: true }),
    })
    expect(await answer.json()).toMatchObject({ success: true, user: { id: this.id, username } })
  }
}

/** So much was said between two messages that the first is not loaded with the second. */
function fillUp(site: Site, roomId: number, senderId: number): void {
  change(site, (db) => {
    const insert = db.prepare(
      `insert into message (roomId, senderId, content, run, audience, clientId, createdAt)
       values (?, ?, ?, 0, null, ?, ?)`,
    )
    for (let i = 0; i < 60; i++) insert.run(roomId, senderId, `Dolgu ${i}`, randomUUID(), Date.now())
  })
}

/** Opens a room whose thread and people listen. */
async function open(visitor: Visitor, roomId: number): Promise<Page> {
  const { page } = visitor
  await page.goto(`/room/${roomId}`)
  await visitor.isInRoom()
  await page.locator('m-island[data-live]').filter({ has: visitor.log }).waitFor()
  return page
}

const saidBy = ({ log, page }: Visitor, text: string): Locator =>
  log.locator('.bubble-row').filter({ has: page.locator('.bubble-text').getByText(text, { exact: true }) })
const completion = (page: Page): Locator => page.getByRole('listbox', { name: 'Bahsedilecek kişi' })
const profile = (page: Page): Locator => page.getByRole('dialog', { name: 'Profil' })

/** Resolves when nothing of this is to be read or heard on the page any more. */
async function isRidOf(page: Page, ...texts: string[]): Promise<void> {
  await page.waitForFunction((gone) => {
    const labels = [...document.querySelectorAll('[aria-label]')].map((one) => one.getAttribute('aria-label'))
    const all = [document.title, document.body.innerText, ...labels].join('\n')
    return gone.every((text) => !all.includes(text))
  }, texts)
}

describe('somebody who has another name from now on', () => {
  journey(
    '[CHAT-41] [PRES-11] has it in the thread, quotes, people, completion and an open profile',
    async ({ site, desktop }) => {
      const [before, after] = [named('Eskiad'), named('Yeniad')]
      const speaker = await Speaker.comesTo(site, 3, before)
      const other = await Speaker.comesTo(site, 3, named('Komşu'))
      await other.say('katılıyorum', await speaker.say('benim sözüm'))
      const [reader, looker] = [
        await (await desktop()).enterAsGuest(named('Okur')),
        await (await desktop()).enterAsGuest(named('Bakar')),
      ]
      await open(reader, 3)
      await reader.composer.pressSequentially('@eski')
      await completion(reader.page).getByText(before).waitFor()
      const page = await open(looker, 3)
      await saidBy(looker, 'Benim sözüm').hover()
      await saidBy(looker, 'Benim sözüm').getByRole('button', { name: 'Yanıtla', exact: true }).click()
      await page.locator('.reply-bar').getByText(before).waitFor()
      await looker.log.getByRole('button', { name: before, exact: true }).click()
      await profile(page).getByRole('heading', { name: before }).waitFor()

      await speaker.isNow(site, after)
      await profile(page).getByRole('heading', { name: after }).waitFor()
      await page.locator('.reply-bar').getByText(after).waitFor()
      for (const visitor of [reader, looker]) {
        await isRidOf(visitor.page, before)
        await saidBy(visitor, 'Katılıyorum').locator('.quote').getByText(after).waitFor()
        await visitor.page.locator('.person', { hasText: after }).first().waitFor()
      }
      expect(await completion(reader.page).count()).toBe(0)
      await reader.composer.fill('@yeni')
      await completion(reader.page).getByText(after).waitFor()
    },
  )
})

describe('a quote', () => {
  journey(
    '[CHAT-23] leads to an original that is not loaded any more, and says when that is gone',
    async ({ site, desktop }) => {
      const speaker = await Speaker.comesTo(site, 4, named('Sözcü'))
      const original = await speaker.say('çok önce söylenen')
      fillUp(site, 4, speaker.id)
      await speaker.say('ona cevap', original)
      const reader = await (await desktop()).enterAsGuest(named('Okur'))
      const page = await open(reader, 4)
      expect(await saidBy(reader, 'Çok önce söylenen').count()).toBe(0)
      const quote = saidBy(reader, 'Ona cevap').getByRole('button', { name: /^Yanıtlanan/ })
      await quote.focus()
      await page.keyboard.press('Enter')
      await saidBy(reader, 'Çok önce söylenen').and(page.locator(':focus')).waitFor()

      await page.getByRole('button', { name: 'En alta in' }).click()
      await quote.waitFor()
      change(site, (db) => db.prepare('delete from message where id = ?').run(original))
      await quote.click()
      await page.getByText('Bu mesaj artık görünmüyor.').first().waitFor()
    },
  )
})

describe('somebody who is banned', () => {
  journey(
    '[MOD-10] [MOD-22] [CHAT-40] leaves nothing on any screen, nor anything unsent on their own',
    async ({ site, desktop }) => {
      const rootName = named('Yetkin')
      const session = await signIn(site.origin, rootName, await makeRootAdmin(site, rootName))
      const { line: root } = await LiveLine.open(site.origin, session.token)
      const badName = named('Kaba')
      const speaker = await Speaker.comesTo(site, 2, badName)
      const polite = await Speaker.comesTo(site, 2, named('Nazik'))
      await speaker.say('elma kötüsöz eski')
      fillUp(site, 2, polite.id)
      await polite.say('kınıyorum', await speaker.say('elma kötüsöz yeni'))
      const [searcher, writer, bad] = [
        await (await desktop()).enterAsGuest(named('Arayan')),
        await (await desktop()).enterAsGuest(named('Yazan')),
        await (await desktop()).enterAsGuest(named('Öfkeli')),
      ]

      // One reader has gone up, answers, and searches.
      const page = await open(searcher, 2)
      const fresh = saidBy(searcher, 'Elma kötüsöz yeni')
      await fresh.hover()
      await fresh.getByRole('button', { name: 'Yanıtla', exact: true }).click()
      await page.locator('.reply-bar').getByText('Elma kötüsöz yeni').waitFor()
      await searcher.log.hover()
      await expect
        .poll(async () => {
          await page.mouse.wheel(0, -2_000)
          return saidBy(searcher, 'Elma kötüsöz eski').count()
        }, PATIENT)
        .toBe(1)
      await speaker.say('elma kötüsöz sonra')
      await page.getByRole('button', { name: '1 yeni mesaj' }).waitFor()
      await page.getByRole('button', { name: 'Mesajlarda ara' }).click()
      const found = page.getByRole('listbox', { name: 'Bulunan mesajlar' }).getByRole('option')
      await expect
        .poll(async () => {
          // What was just said gets into the index a moment later.
          await page.getByRole('combobox', { name: 'Mesajlarda ara' }).fill('')
          await page.getByRole('combobox', { name: 'Mesajlarda ara' }).fill('elma')
          await found.first().waitFor()
          return found.count()
        }, PATIENT)
        .toBe(3)

      // Another one is about to mention them, and reads that they are writing.
      await open(writer, 2)
      await expect
        .poll(async () => {
          granted(await speaker.line.ask('typing', { roomId: 2 }))
          return writer.page.getByText(`${badName} yazıyor`).isVisible()
        }, PATIENT)
        .toBe(true)
      await writer.composer.pressSequentially('@kab')
      await completion(writer.page).getByText(badName).waitFor()

      granted(await root.ask('banUser', { targetname: badName, duration: '10min', banReason: 'Diğer' }))
      for (const visitor of [searcher, writer]) await isRidOf(visitor.page, 'kötüsöz', badName)
      expect(await page.locator('.reply-bar').count()).toBe(0)
      expect(await page.locator('.new-line').count()).toBe(0)
      expect(await page.getByRole('button', { name: /yeni mesaj/ }).count()).toBe(0)
      await saidBy(writer, 'Kınıyorum').getByText('Yanıtlanan mesaj artık görünmüyor.').waitFor()

      // What somebody has not sent waits in their tab, over a reload too.
      await bad.page.evaluate(
        ([userId, clientId]) => {
          const input = { roomId: 5, content: 'Kötüsöz bekleyen', clientId }
          const entry = { clientId, name: 'sendMessage', input, createdAt: Date.now(), failure: null }
          sessionStorage.setItem('outbox', JSON.stringify({ userId, entries: [entry] }))
        },
        [idOf(site, names), randomUUID()] as const,
      )
      await open(bad, 2)
      const targetname = `Öfkeli${names}`
      granted(await root.ask('banUser', { targetname, duration: '10min', banReason: 'Diğer' }))
      await bad.page.waitForURL((url) => url.pathname === '/')
      expect(await bad.page.evaluate(() => sessionStorage.getItem('outbox'))).toBeNull()
      change(site, (db) => db.prepare('update ban set liftedAt = at').run())
      root.cut()
    },
  )
})

function idOf(site: Site, name: number): number {
  const db = new Sqlite(join(site.dataFolder, 'meydan.db'), { readonly: true })
  const id = db.prepare('select id from user where username = ?').pluck().get(`Öfkeli${name}`)
  db.close()
  return Number(id)
}
