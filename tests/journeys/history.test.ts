import type { Locator } from 'playwright-core'
import { describe, expect } from 'vitest'
import { signInAsGuest } from '../drivers/live-connection.ts'
import { insertMessages } from '../fixtures/insert-messages.ts'
import type { ChatPage } from './chat-page.ts'
import { journey } from './journey.ts'

/** Resolves when the thread contains this many messages. */
async function waitForRowCount({ page }: ChatPage, count: number): Promise<void> {
  await page.waitForFunction((rows) => document.querySelectorAll('.bubble-row').length === rows, count)
}

/** Distance of a message from the top of the thread's viewport, in px. */
const offsetTop = (row: Locator) =>
  row.evaluate((element) => {
    const window = element.closest('.thread')?.getBoundingClientRect().top ?? 0
    return Math.round(element.getBoundingClientRect().top - window)
  })

async function openSearch({ page }: ChatPage): Promise<Locator> {
  await page.getByRole('button', { name: 'Mesajlarda ara' }).focus()
  await page.keyboard.press('Enter')
  const field = page.getByRole('combobox', { name: 'Mesajlarda ara' })
  await field.and(page.locator(':focus')).waitFor()
  return field
}

describe('message history', () => {
  journey(
    '[CHAT-30] [CHAT-36] loads above while scrolling up, to the start, and is trimmed at the end',
    { tags: 'deep' },
    async ({ site, desktop }) => {
      await signInAsGuest(site.origin, 'Yazan')
      insertMessages(
        site,
        2,
        Array.from({ length: 100 }, (_, index) => `Söz ${index + 1}`),
      )
      const reader = await (await desktop()).openRoomAsGuest('Okur', 2)
      await reader.waitForMessage('Söz 100')
      await waitForRowCount(reader, 40)
      expect(await reader.page.getByText('Odanın başlangıcı burası.').count()).toBe(0)

      const anchorBubble = reader.bubble('Söz 62')
      await anchorBubble.evaluate((element) => element.scrollIntoView({ block: 'start' }))
      const before = await offsetTop(anchorBubble)
      await reader.waitForMessage('Söz 21')
      expect(Math.abs((await offsetTop(anchorBubble)) - before)).toBeLessThanOrEqual(2)

      await reader.bubble('Söz 21').evaluate((element) => element.scrollIntoView({ block: 'start' }))
      await reader.page.getByText('Odanın başlangıcı burası.').waitFor()
      await waitForRowCount(reader, 100)
      expect((await reader.messageTexts())[0]).toBe('Söz 1')

      await reader.page.getByRole('button', { name: 'En alta in' }).click()
      await waitForRowCount(reader, 40)
      expect((await reader.messageTexts()).at(-1)).toBe('Söz 100')
    },
  )

  journey(
    '[CHAT-32] [CHAT-35] [CHAT-37] [CHAT-38] is searched and opened by keyboard alone',
    { tags: 'deep' },
    async ({ site, desktop }) => {
      await signInAsGuest(site.origin, 'Yazan')
      const payload = '<img src=x onerror="document.title=1"> kırmızı elma'
      const around = Array.from({ length: 120 }, (_, index) => `Laf ${index + 1}`)
      insertMessages(site, 3, [
        ...around.slice(0, 30),
        'Kırmızı elmalar nerede',
        ...around.slice(30),
        payload,
        ...around,
      ])
      const reader = await (await desktop()).openRoomAsGuest('Arayan', 3)
      const { page } = reader
      const earlier = page.locator('.load-more')
      await earlier.evaluate((element) => element.setAttribute('data-before', ''))
      // The search index follows commands of the running site, not rows that a test inserts.
      await reader.sendMessage('buradayım')
      await reader.waitForMessage('Buradayım')
      // A new message does not recreate the search button.
      expect(await earlier.getAttribute('data-before')).toBe('')

      const field = await openSearch(reader)
      await field.pressSequentially('k')
      await page.getByText('Aramak için en az 2 harf yaz.').waitFor()
      await field.fill('armut')
      await page.getByText('“armut” için mesaj bulunamadı.').waitFor()
      await field.fill('KIRMIZI EL')
      const found = page.getByRole('option')
      await found.nth(1).waitFor()
      expect(await found.locator('mark').allTextContents()).toEqual(['kırmızı', 'elma', 'Kırmızı', 'elmalar'])
      expect(await found.first().locator('.search-result-text').textContent()).toBe(payload)
      expect(await page.locator('img[src=x]').count()).toBe(0)

      await page.keyboard.press('ArrowDown')
      await found.nth(1).and(page.locator('[aria-selected=true]')).waitFor()
      await page.keyboard.press('Enter')
      await page.locator('.bubble-row:focus').getByText('Kırmızı elmalar nerede').waitFor()
      expect(await page.getByRole('dialog').count()).toBe(0)
      await reader.waitForMessage('Laf 1')
      expect(await reader.bubble('Buradayım').count()).toBe(0)

      await page.getByRole('button', { name: 'En alta in' }).press('Enter')
      await reader.waitForMessage('Buradayım')
      await waitForRowCount(reader, 40)
    },
  )

  journey('[CHAT-31] [CHAT-38] does not find removed messages; Escape closes the search', async ({ site, phone }) => {
    const reader = await (await phone()).openRoomAsGuest('Silen', 4)
    await reader.sendMessage('gizli hazine')
    await reader.waitForMessage('Gizli hazine')
    const { page } = reader
    const field = await openSearch(reader)
    await expect
      .poll(async () => {
        // Emptied, so that the same text is searched again. Enter would open a message that is found already.
        await field.fill('')
        await field.fill('hazine')
        await page.getByText(/bulundu|bulunamadı/).waitFor()
        return page.getByRole('option').count()
      })
      .toBe(1)
    site.changeDatabase((db) => db.exec("delete from message where content = 'Gizli hazine'"))
    await field.fill('gizli')
    await page.getByText('“gizli” için mesaj bulunamadı.').waitFor()
    await page.keyboard.press('Escape')
    await page.getByRole('button', { name: 'Mesajlarda ara' }).and(page.locator(':focus')).waitFor()
    expect(await page.getByRole('dialog').count()).toBe(0)
  })
})
