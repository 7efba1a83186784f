import { randomUUID } from 'node:crypto'
import type { Locator, Page } from 'playwright-core'
import { describe, expect } from 'vitest'
import { MEMBER_PASSWORD } from '../drivers/live-connection.ts'
import { readSiteDatabase, type Site } from '../drivers/site.ts'
import { journey } from './journey.ts'

/** Allows for a busy machine. */

/** Inserts so many messages that the one before them is not loaded with the one after. */
function insertFillerMessages(site: Site, senderId: number): void {
  site.changeDatabase((db) => {
    const insert = db.prepare(
      `insert into message (roomId, senderId, content, consecutiveCount, audience, clientId, createdAt)
       values (1, ?, ?, 0, null, ?, ?)`,
    )
    for (let i = 0; i < 60; i++) insert.run(senderId, `Dolgu ${i}`, randomUUID(), Date.now())
  })
}

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
    { tags: 'deep' },
    async ({ desktop, speaker }) => {
      const [oldName, newName] = ['Eskiad', 'Yeniad']
      const renamed = await speaker(oldName)
      const neighbour = await speaker('Komşu')
      await neighbour.sendMessage('katılıyorum', await renamed.sendMessage('benim sözüm'))
      const reader = await (await desktop()).openRoomAsGuest('Okur')
      const observer = await (await desktop()).openRoomAsGuest('Bakar')
      await reader.composer.pressSequentially('@eski')
      await mentionListbox(reader.page).getByText(oldName).waitFor()
      const { page } = observer
      await observer.bubble('Benim sözüm').hover()
      await observer
        .bubble('Benim sözüm')
        .getByRole('button', { name: /^Yanıtla:/ })
        .click()
      await page.locator('.reply-bar').getByText(oldName).waitFor()
      await observer.messageLog.getByRole('button', { name: oldName, exact: true }).click()
      await profileDialog(page).getByRole('heading', { name: oldName }).waitFor()

      const form = { username: newName, password: MEMBER_PASSWORD, age: 27, termsAccepted: true }
      const { id } = renamed.signedIn.user
      expect(await renamed.fetch('/api/users/register', form)).toMatchObject({ user: { id, username: newName } })
      await profileDialog(page).getByRole('heading', { name: newName }).waitFor()
      await page.locator('.reply-bar').getByText(newName).waitFor()
      for (const visitor of [reader, observer]) {
        await waitUntilAbsent(visitor.page, oldName)
        await visitor.bubble('Katılıyorum').locator('.quote').getByText(newName).waitFor()
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
    async ({ site, desktop, speaker }) => {
      const author = await speaker('Sözcü')
      const original = await author.sendMessage('çok önce söylenen')
      insertFillerMessages(site, author.signedIn.user.id)
      await author.sendMessage('ona cevap', original)
      const reader = await (await desktop()).openRoomAsGuest('Okur')
      const { page } = reader
      expect(await reader.bubble('Çok önce söylenen').count()).toBe(0)
      const quote = reader.bubble('Ona cevap').getByRole('button', { name: /^Yanıtlanan/ })
      await quote.focus()
      await page.keyboard.press('Enter')
      await reader.bubble('Çok önce söylenen').and(page.locator(':focus')).waitFor()

      await page.getByRole('button', { name: 'En alta in' }).click()
      await quote.waitFor()
      site.changeDatabase((db) => db.prepare('delete from message where id = ?').run(original))
      await quote.click()
      await page.getByText('Bu mesaj artık görünmüyor.').first().waitFor()
    },
  )
})

describe('a banned user', () => {
  journey(
    '[MOD-10] [MOD-22] [CHAT-40] has no messages on any screen and no unsent messages in the own tab',
    { tags: 'deep' },
    async ({ site, desktop, speaker }) => {
      const root = await speaker('Yetkin', { role: 'rootAdmin', roomId: null })
      const badName = 'Kaba'
      const rude = await speaker(badName)
      const polite = await speaker('Nazik')
      await rude.sendMessage('elma kötüsöz eski')
      insertFillerMessages(site, polite.signedIn.user.id)
      await polite.sendMessage('kınıyorum', await rude.sendMessage('elma kötüsöz yeni'))
      const searcher = await (await desktop()).openRoomAsGuest('Arayan')
      const writer = await (await desktop()).openRoomAsGuest('Yazan')
      const banned = await (await desktop()).openRoomAsGuest('Öfkeli')

      // The searcher has scrolled up, replies and searches.
      const { page } = searcher
      const newest = searcher.bubble('Elma kötüsöz yeni')
      await newest.hover()
      await newest.getByRole('button', { name: /^Yanıtla:/ }).click()
      await page.locator('.reply-bar').getByText('Elma kötüsöz yeni').waitFor()
      await searcher.messageLog.hover()
      await expect
        .poll(async () => {
          await page.mouse.wheel(0, -2_000)
          return searcher.bubble('Elma kötüsöz eski').count()
        })
        .toBe(1)
      await rude.sendMessage('elma kötüsöz sonra')
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
        })
        .toBe(3)

      // The writer is about to mention the speaker, and sees them typing.
      await expect
        .poll(async () => {
          await rude.request('typing', { roomId: 1 })
          return writer.page.getByText(`${badName} yazıyor`).isVisible()
        })
        .toBe(true)
      await writer.composer.pressSequentially('@kab')
      await mentionListbox(writer.page).getByText(badName).waitFor()

      await root.request('banUser', { targetname: badName, duration: '10min', banReason: 'Diğer' })
      for (const visitor of [searcher, writer]) await waitUntilAbsent(visitor.page, 'kötüsöz', badName)
      expect(await page.locator('.reply-bar').count()).toBe(0)
      expect(await page.locator('.unread-divider').count()).toBe(0)
      expect(await page.getByRole('button', { name: /yeni mesaj/ }).count()).toBe(0)
      await writer.bubble('Kınıyorum').getByText('Yanıtlanan mesaj artık görünmüyor.').waitFor()

      // The page may ask for its lists just when the ban comes.
      banned.errors.allow(/status of 403/)
      // The outbox keeps unsent messages across a reload.
      await banned.page.evaluate(
        ([userId, clientId]) => {
          const input = { roomId: 5, content: 'Kötüsöz bekleyen', clientId }
          const entry = { clientId, name: 'sendMessage', input, createdAt: Date.now(), failure: null }
          sessionStorage.setItem('outbox', JSON.stringify({ userId, entries: [entry] }))
        },
        [Number(readSiteDatabase(site, "select id from user where username = 'Öfkeli'")), randomUUID()] as const,
      )
      await banned.page.goto('/room/2')
      await banned.waitForRoom()
      await root.request('banUser', { targetname: 'Öfkeli', duration: '10min', banReason: 'Diğer' })
      await banned.page.waitForURL((url) => url.pathname === '/')
      expect(await banned.page.evaluate(() => sessionStorage.getItem('outbox'))).toBeNull()
    },
  )
})
