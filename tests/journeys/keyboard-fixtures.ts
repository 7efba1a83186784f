import type { Locator, Page } from 'playwright-core'
import { expect } from 'vitest'
import type { LiveUser } from '../drivers/live-user.ts'
import type { ChatPage } from './chat-page.ts'
import { journey } from './journey.ts'
import { focusedName, tabTo, waitForFocus } from './keyboard-focus.ts'

export const KEYBOARD_POLL = { interval: 100 }

/** A root admin, who sees every control, in a room with another one without a browser, a link and a mention. */
export const keyboardJourney = journey.extend<{
  sit: (device: 'desktop' | 'phone') => Promise<{ visitor: ChatPage; other: LiveUser }>
}>({
  sit: ({ site, desktop, phone, speaker }, use) =>
    use(async (device) => {
      const other = await speaker('Ozan', { role: 'rootAdmin' })
      await other.sendMessage('Bak: https://ornek.com/a')
      const visitor = await (device === 'phone' ? phone : desktop)()
      await visitor.openRoomAs('Deniz', await site.createRootAdmin('Deniz'))
      await visitor.sendMessage('@Ozan gördüm')
      await visitor.waitForMessage('@Ozan gördüm')
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

/** Opens the context menu at the focus. */
export async function openMenuByKey(page: Page, menu: Locator, key: 'Shift+F10' | 'ContextMenu'): Promise<void> {
  await page.keyboard.press(key)
  await menu.waitFor()
}
