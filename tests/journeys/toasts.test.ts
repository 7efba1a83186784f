import type { Page } from 'playwright-core'
import { describe, expect } from 'vitest'
import { TOAST_MS } from '../../src/client/core/shell/toasts/toast-queue.ts'
import type { ChatPage } from './chat-page.ts'
import { movingJourney as journey } from './journey.ts'
import { focusedName } from './keyboard-focus.ts'
import { PREMIUM_FILTER_TEXT } from './user-list-fixtures.ts'

/** Shown when a name is copied, and when copying fails. */
const COPIED_TEXT = 'Kopyalandı!'
const COPY_FAILED_TEXT = 'Kopyalama başarısız!'

/** Enters a room with a paused clock; `data-toasts` keeps the highest number of toasts shown at once. */
async function enterWithPausedClock(visitor: ChatPage): Promise<Page> {
  const { page } = await visitor.openRoomAsGuest('Tostçu')
  await page.getByRole('button', { name: 'Kadınlar' }).and(page.locator('m-island[data-live] *')).waitFor()
  await page.locator('.person:not(:has(.person-viewer))').first().waitFor()
  await page.evaluate(() => {
    const { dataset } = document.documentElement
    new MutationObserver(() => {
      const count = document.querySelectorAll('.toast').length
      dataset.toasts = String(Math.max(count, Number(dataset.toasts ?? 0)))
    }).observe(document.body, { subtree: true, childList: true })
  })
  await page.clock.install()
  await page.clock.pauseAt(Date.now() + 10_000)
  return page
}

const toastTexts = (page: Page) => page.locator('.toast').allTextContents()

async function openProfile(page: Page): Promise<void> {
  await page.locator('.person:not(:has(.person-viewer))').first().click()
  await page.getByRole('dialog', { name: 'Profil' }).waitFor()
}

async function copyName(page: Page, works: boolean): Promise<void> {
  await page.evaluate((works) => {
    const writeText = () => (works ? Promise.resolve() : Promise.reject(new Error('no')))
    Object.defineProperty(navigator, 'clipboard', { configurable: true, value: { writeText } })
    document.execCommand = () => works
  }, works)
  await page.getByRole('button', { name: 'Kullanıcı adını kopyala' }).click()
}

describe('toasts', () => {
  journey(
    '[SHELL-09] [SHELL-81] are announced two at a time at the top left, for 2,000 ms each',
    { tags: 'deep' },
    async ({ desktop, speaker }) => {
      await speaker('Komşu')
      const page = await enterWithPausedClock(await desktop())
      await page.getByRole('button', { name: 'Kadınlar' }).click()
      const first = page.getByRole('status').filter({ hasText: PREMIUM_FILTER_TEXT })
      await first.waitFor()
      await openProfile(page)
      await copyName(page, true)
      const second = page.getByRole('status').filter({ hasText: COPIED_TEXT })
      await second.waitFor()
      await copyName(page, false)

      await page.clock.runFor(TOAST_MS - 1)
      expect(await toastTexts(page)).toEqual([PREMIUM_FILTER_TEXT, COPIED_TEXT])
      await page.evaluate(() =>
        Promise.all(
          [...document.querySelectorAll('.toast')].flatMap((one) => one.getAnimations().map((a) => a.finished)),
        ),
      )
      const [above, below] = [await first.boundingBox(), await second.boundingBox()]
      expect(above?.x).toBeLessThan(20)
      const title = await page.getByRole('heading', { name: 'Odalar' }).boundingBox()
      expect(above?.y).toBeGreaterThan((title?.y ?? 0) + (title?.height ?? 0))
      expect(below?.x).toBe(above?.x)
      expect(below?.y).toBeGreaterThan((above?.y ?? 0) + (above?.height ?? 0))
      await page.clock.runFor(1)
      await page.getByRole('alert').filter({ hasText: COPY_FAILED_TEXT }).waitFor()
      expect(await toastTexts(page)).toEqual([COPY_FAILED_TEXT])
      await page.clock.runFor(TOAST_MS)
      expect(await toastTexts(page)).toEqual([])
      expect(await page.locator('html').getAttribute('data-toasts')).toBe('2')
    },
  )

  journey(
    '[SHELL-23] [SHELL-24] a toast stays while hovered or focused, and its button closes it, over a dialog too',
    async ({ desktop, speaker }) => {
      await speaker('Komşu')
      const page = await enterWithPausedClock(await desktop())
      await openProfile(page)
      // A profile is modal on a smaller screen.
      await page.setViewportSize({ width: 820, height: 900 })
      await copyName(page, false)
      const profile = page.getByRole('dialog', { name: 'Profil' })
      const inside = profile.locator('.toast').filter({ hasText: COPY_FAILED_TEXT })
      await inside.getByRole('button', { name: 'Kapat' }).click()
      await inside.waitFor({ state: 'detached' })
      expect(await profile.isVisible()).toBe(true)

      await copyName(page, true)
      await profile.locator('.toast').hover()
      await page.keyboard.press('Escape')
      await profile.waitFor({ state: 'hidden' })
      const toast = page.locator('.toast').filter({ hasText: COPIED_TEXT })
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

describe('a button that waits for an answer', () => {
  journey(
    '[SHELL-23] keeps the focus, and a second click sends no request',
    { tags: 'deep' },
    async ({ site, desktop, speaker }) => {
      await speaker('Papatya')
      const root = await (await desktop()).openRoomAs('Yetkin', await site.createRootAdmin('Yetkin'))
      const { page } = root
      root.errors.allow(/ERR_FAILED/)
      let requestCount = 0
      let fail = () => {}
      const failure = new Promise<void>((resolve) => {
        fail = resolve
      })
      await page.route('**/api/users/ban', async (route) => {
        requestCount++
        await failure
        await route.abort()
      })
      await page.locator('.person', { hasText: 'Papatya' }).click()
      await page.getByRole('button', { name: 'Diğer işlemler' }).click()
      await page.getByRole('menuitem', { name: 'Siteden Yasakla' }).click()
      const button = page.getByRole('button', { name: 'Yasakla', exact: true })
      await button.press('Enter')
      await button.and(page.locator('[aria-disabled=true]')).waitFor()
      await page.keyboard.press('Enter')
      fail()
      await button.and(page.locator('[aria-disabled=false]')).waitFor()
      expect(requestCount).toBe(1)
      expect(await focusedName(page)).toBe('Yasakla')
    },
  )
})
