import type { Locator } from 'playwright-core'
import { describe, expect } from 'vitest'
import type { ChatPage } from './chat-page.ts'
import { movingJourney as journey } from './journey.ts'
import { arrowTo } from './keyboard-focus.ts'

/** The interval is longer than a burst of messages lasts. */
const SLOW_POLL = { interval: 500 }

function rowOf({ page }: ChatPage, text: string): Locator {
  return page.locator('.bubble-row[data-status=sent]', { hasText: text })
}

function animationOf(row: Locator): Promise<string> {
  return row.evaluate((element) => getComputedStyle(element).animationName)
}

function isIconShown(button: Locator): Promise<boolean> {
  return button.evaluate((element) => getComputedStyle(element, '::before').content !== 'none')
}

describe('a message in the thread', () => {
  journey(
    '[CHAT-46] is animated when it arrives alone, and not after a reload',
    { tags: 'deep' },
    async ({ speaker, phone }) => {
      const writer = await speaker('Yazar', { role: 'rootAdmin' })
      const reader = await (await phone()).openRoomAsGuest('Okur')
      let count = 0
      const sendAndReadAnimation = async (): Promise<string> => {
        const text = `Tek başına ${++count}.`
        await writer.sendMessage(text)
        await reader.waitForMessage(text)
        return animationOf(rowOf(reader, text))
      }
      await expect.poll(sendAndReadAnimation, SLOW_POLL).toBe('bubble-in')

      await reader.page.reload()
      const last = rowOf(reader, `Tek başına ${count}.`)
      await last.waitFor()
      expect(await animationOf(last)).toBe('none')
    },
  )

  journey('[CHAT-47] shows its reply icon on hover and keyboard focus', async ({ desktop }) => {
    const visitor = await (await desktop()).openRoomAsGuest('Yazar')
    const { page } = visitor
    await visitor.sendMessage('Buna yanıt ver')
    const row = rowOf(visitor, 'Buna yanıt ver')
    const button = row.getByRole('button', { name: /^Yanıtla:/ })
    const bar = page.locator('.reply-bar')
    await button.waitFor()
    await visitor.composer.hover()
    expect(await isIconShown(button)).toBe(false)
    await row.hover()
    // Its style sheet is loaded after the thread.
    await expect.poll(() => isIconShown(button), SLOW_POLL).toBe(true)
    await button.click()
    await bar.waitFor()
    await visitor.composer.press('Escape')
    await bar.waitFor({ state: 'detached' })

    await visitor.composer.hover()
    await expect.poll(() => isIconShown(button), SLOW_POLL).toBe(false)
    await arrowTo(page, 'Yanıtla: ')
    expect(await isIconShown(page.locator('.bubble-reply:focus'))).toBe(true)
    await page.keyboard.press('Enter')
    await bar.waitFor()
  })
})
