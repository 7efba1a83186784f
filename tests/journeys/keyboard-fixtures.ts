import type { Locator, Page } from 'playwright-core'
import { expect } from 'vitest'
import { createSiteRootAdmin } from '../drivers/site-process.ts'
import type { ChatPage } from './chat-page.ts'
import { journey } from './journey.ts'
import { focusedName, tabTo, waitForFocus } from './keyboard-focus.ts'

export const KEYBOARD_POLL = { timeout: 30_000, interval: 100 }

let runCount = 0

/** A root admin, who sees every control, in a room with a reply, a link and a mention. */
export const keyboardJourney = journey.extend<{
  sit: (device: 'desktop' | 'phone') => Promise<{ visitor: ChatPage; other: ChatPage }>
}>({
  sit: ({ site, desktop, phone }, use) =>
    use(async (device) => {
      const other = await (await desktop()).openRoomAs('Ozan', await createSiteRootAdmin(site, 'Ozan'))
      const time = ++runCount
      await other.sendMessage(`Bak ${time}: https://ornek.com/a`)
      await other.waitForMessage(`Bak ${time}: https://ornek.com/a`)
      const visitor = await (device === 'phone' ? phone : desktop)()
      await visitor.openRoomAs('Deniz', await createSiteRootAdmin(site, 'Deniz'))
      await visitor.page.locator('m-island[data-live]').filter({ has: visitor.messageLog }).waitFor()
      await visitor.sendMessage(`@Ozan gördüm ${time}`)
      await visitor.waitForMessage(`@Ozan gördüm ${time}`)
      await visitor.page.getByRole('button', { name: /çevrimiçi/ }).waitFor({ state: 'attached' })
      return { visitor, other }
    }),
})

/** Opens a control's overlay by keyboard, closes it with Esc, and checks that the focus is back. */
export async function expectDialogRoundTrip(page: Page, control: string, opened: string | RegExp): Promise<void> {
  await tabTo(page, control)
  await page.keyboard.press('Enter')
  const window = page.getByRole('dialog', { name: opened })
  await window.waitFor()
  await page.waitForFunction(() => document.querySelector('dialog:modal')?.contains(document.activeElement))
  await page.keyboard.press('Escape')
  await window.waitFor({ state: 'hidden' })
  await waitForFocus(page, control)
}

/** Moves down an open menu to an entry and selects it. */
export async function chooseMenuItem(page: Page, entry: string): Promise<void> {
  await page.getByRole('menuitem').first().and(page.locator(':focus')).waitFor()
  for (let step = 0; !(await focusedName(page)).includes(entry); step++) {
    expect(step).toBeLessThan(10)
    await page.keyboard.press('ArrowDown')
  }
  await page.keyboard.press('Enter')
}

/** Opens the context menu at the focus. Its island may hydrate later than the composer. */
export async function openMenuByKey(page: Page, menu: Locator, key: 'Shift+F10' | 'ContextMenu'): Promise<void> {
  await expect
    .poll(async () => {
      await page.keyboard.press(key)
      return menu.waitFor({ timeout: 3_000 }).then(
        () => true,
        () => false,
      )
    }, KEYBOARD_POLL)
    .toBe(true)
}
