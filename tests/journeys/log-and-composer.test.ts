import { describe, expect } from 'vitest'
import { MAX_MESSAGE_LENGTH } from '../../src/shared/room-chat/limits.ts'
import { signInAsGuest } from '../drivers/live-connection.ts'
import { insertMessages } from '../fixtures/insert-messages.ts'
import type { ChatPage } from './chat-page.ts'
import { journey } from './journey.ts'
import { arrowTo, focusedName, tabTo, waitForFocus } from './keyboard-focus.ts'
import { findLonelyTimes } from './layout-faults.ts'

const ROOM_OF_LOG = 2

/** Pastes a text into the composer as the clipboard would. */
async function paste({ page, composer }: ChatPage, text: string): Promise<void> {
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
  await page.evaluate((written) => navigator.clipboard.writeText(written), text)
  await composer.focus()
  await page.keyboard.press('ControlOrMeta+v')
}

describe('the log and the composer', () => {
  journey(
    '[CHAT-71] [CHAT-76] the log is one tab stop with arrows inside, and its keys load nothing',
    async ({ site, desktop }) => {
      await signInAsGuest(site.origin, 'Yazan')
      insertMessages(
        site,
        ROOM_OF_LOG,
        Array.from({ length: 100 }, (_, index) => `Söz ${index + 1}`),
      )
      const reader = await (await desktop()).openRoomAsGuest('Okur', ROOM_OF_LOG)
      const { page, messageLog } = reader
      const log = (await messageLog.getAttribute('aria-label')) ?? ''
      await reader.waitForMessage('Söz 100')
      const rowCount = () => page.locator('.bubble-row').count()
      const more = page.getByRole('button', { name: 'Daha eski mesajlar' })
      await more.waitFor()

      await page.locator('.skip-link').first().focus()
      await page.keyboard.press('Tab')
      await waitForFocus(page, 'Mesaj yazmaya geç')
      await page.keyboard.press('Enter')
      await waitForFocus(page, 'Mesaj yaz')
      await page.waitForFunction(() => document.activeElement?.matches('textarea'))

      await tabTo(page, log, 'Shift+Tab')
      await page.keyboard.press('ArrowUp')
      expect(await focusedName(page)).toBe('Yazan: Söz 100')
      await page.keyboard.press('ArrowRight')
      await page.keyboard.press('ArrowRight')
      expect(await focusedName(page)).toMatch(/^(Yanıtla|Mesaj işlemleri): Yazan: Söz 100$/)
      await page.keyboard.press('ArrowUp')
      expect(await focusedName(page)).toBe('Yazan: Söz 99')
      await page.keyboard.press('Tab')
      await waitForFocus(page, 'Emoji seç')
      await page.keyboard.press('Shift+Tab')
      await waitForFocus(page, log)

      await page.keyboard.press('Home')
      await waitForFocus(page, 'Daha eski mesajlar')
      await page.keyboard.press('ArrowDown')
      expect(await focusedName(page)).toBe('Yazan: Söz 61')
      await page.keyboard.press('ArrowUp')
      await waitForFocus(page, 'Daha eski mesajlar')
      expect(await rowCount()).toBe(40)
      await page.keyboard.press('Enter')
      await page.waitForFunction(() => document.querySelectorAll('.bubble-row').length === 80)
      await more.waitFor()
      expect(await rowCount()).toBe(80)
      // The wheel is a wish for more.
      await messageLog.hover()
      await page.mouse.wheel(0, -20_000)
      await page.getByText('Odanın başlangıcı burası.').waitFor()

      await arrowTo(page, 'Yanıtla: ')
      await page.keyboard.press('Enter')
      await page.locator('.reply-bar').waitFor()
    },
  )

  journey('[CHAT-74] a text that is too long is pasted in parts', async ({ desktop }) => {
    const visitor = await (await desktop()).openRoomAsGuest('Uzunyazar')
    const { page, composer } = visitor
    const text = `${'a'.repeat(MAX_MESSAGE_LENGTH) + 'b'.repeat(MAX_MESSAGE_LENGTH)}son`
    await visitor.page.getByRole('button', { name: 'Ses kaydet' }).waitFor()
    await paste(visitor, text)
    await page.getByText('2.003 karakter sığmadı. Bunu gönderince kalanı buraya gelir.').waitFor()
    expect(await composer.inputValue()).toBe('a'.repeat(MAX_MESSAGE_LENGTH))
    await composer.press('Enter')
    await expect.poll(() => composer.inputValue()).toBe('b'.repeat(MAX_MESSAGE_LENGTH))
    await page.getByText('3 karakter sığmadı.').waitFor()
    await composer.press('Enter')
    await expect.poll(() => composer.inputValue()).toBe('son')
    await page.getByText('karakter sığmadı').waitFor({ state: 'detached' })
    await composer.press('Enter')
    await visitor.waitForMessage('Son')
    expect(await composer.inputValue()).toBe('')

    await paste(visitor, text)
    await page.getByRole('button', { name: 'Kalanı sil' }).click()
    await page.getByText('karakter sığmadı').waitFor({ state: 'detached' })
    expect(await composer.inputValue()).toBe('a'.repeat(MAX_MESSAGE_LENGTH))
  })

  journey('[CHAT-75] [CHAT-77] [CHAT-78] bubbles on a phone', async ({ site, phone }) => {
    await signInAsGuest(site.origin, 'Mert')
    const words = Array.from({ length: 20 }, (_, index) => `${'kelime '.repeat(8)}${'ab'.repeat(index + 1)}`)
    const others = [
      '❤ ☺ 123',
      '1',
      'مرحبا كيف حالك',
      `http://x.com/${'abc'.repeat(40)}`,
      '@Mert '.repeat(9).trim(),
      '@Mert '.repeat(10).trim(),
    ]
    insertMessages(site, 3, [...words, ...others, ...others.map((text) => `${text} .`)])
    for (const width of [320, 390]) {
      const reader = await (await phone({ viewport: { width, height: 800 } })).openRoomAsGuest(`Okur${width}`, 3)
      const { page } = reader
      await reader.waitForMessage('1')
      await page.locator('.bubble-reply[aria-label^="Yanıtla: "]').first().waitFor({ state: 'attached' })
      expect(await findLonelyTimes(page)).toEqual([])
      expect(await page.locator('.bubble-text:not([dir=auto])').count()).toBe(0)
      const [log, bubble] = await Promise.all([
        reader.messageLog.boundingBox(),
        page.locator('.bubble').first().boundingBox(),
      ])
      if (!log || !bubble) throw new Error('a part is not drawn')
      // The rest is the avatar, and the same space on both sides.
      expect(log.width - bubble.width).toBeLessThanOrEqual(70)
      const direction = (text: string) =>
        page
          .locator('.bubble-text', { hasText: text })
          .first()
          .evaluate((element) => getComputedStyle(element).direction)
      expect(await direction('مرحبا')).toBe('rtl')
      expect(await direction('123')).toBe('ltr')
      // The machine of the test may have no colour font: the order decides.
      const fonts = await page
        .locator('.bubble-text')
        .first()
        .evaluate((text) => getComputedStyle(text).fontFamily)
      expect(fonts.replaceAll('"', '')).toMatch(/^Emoji, Inter Variable, /)
      const face = () => page.evaluate(() => [...document.fonts].find(({ family }) => /^"?Emoji"?$/.test(family)))
      await expect.poll(async () => (await face()) !== undefined).toBe(true)
    }
  })
})
