import type { Page } from 'playwright-core'
import { describe, expect } from 'vitest'
import { TOAST_MS } from '../../src/client/shell/toast-queue.ts'
import { journey } from './journey.ts'
import type { Visitor } from './visitor.ts'

/** Somebody in a room, on their own profile: what is copied there is said in a toast. */
async function arrive(visitor: Visitor): Promise<Page> {
  const { page } = await visitor.enterAsGuest('Tostçu')
  await page.locator('m-island[data-live]').filter({ has: visitor.log }).waitFor()
  await page.evaluate(() =>
    Object.defineProperty(navigator, 'clipboard', { value: { writeText: () => Promise.resolve() } }),
  )
  await page.locator('.person-viewer').click()
  await page.getByRole('dialog', { name: 'Profil' }).waitFor()
  await page.clock.install()
  return page
}

const toasts = (page: Page) => page.locator('.toast')
const copy = (page: Page) => page.getByRole('button', { name: 'Kullanıcı adını kopyala' }).click()

describe('toasts', () => {
  journey(
    '[SHELL-23] [SHELL-24] one stays while it is pointed at or has the focus, and its button closes it',
    async ({ desktop }) => {
      const page = await arrive(await desktop())
      await copy(page)
      await page.keyboard.press('Escape')
      await page.getByRole('dialog').waitFor({ state: 'hidden' })
      const toast = toasts(page).filter({ hasText: 'Kopyalandı!' })
      await toast.hover()
      await page.clock.runFor(2 * TOAST_MS)
      expect(await toast.count()).toBe(1)
      await toast.getByRole('button', { name: 'Kapat' }).focus()
      await page.mouse.move(700, 700)
      await page.clock.runFor(2 * TOAST_MS)
      expect(await toast.count()).toBe(1)
      await page.keyboard.press('Enter')
      await toast.waitFor({ state: 'detached' })
      await page.waitForFunction(() => document.activeElement !== document.body)
    },
  )
})
