// @module-tag deep
import type { Page } from 'playwright-core'
import { describe, expect } from 'vitest'
import { journey } from './journey.ts'
import { waitForFocus } from './keyboard-focus.ts'

const passwordDialog = (page: Page) => page.getByRole('dialog', { name: 'Şifreni doğrula' })

async function givePassword(page: Page, password: string): Promise<void> {
  await passwordDialog(page).getByLabel('Şifre', { exact: true }).fill(password)
  await passwordDialog(page).getByRole('button', { name: 'Doğrula' }).click()
}

/** Opens the site again with the cookie alone, as a browser from which a thief has copied it. */
async function reopenWithCookie(page: Page): Promise<void> {
  await page.evaluate(() => localStorage.clear())
  await page.reload()
}

describe('a root admin with the cookie alone', () => {
  journey(
    '[ACC-102] [ACC-103] gives the password at the first action, which then happens',
    async ({ site, desktop, speaker }) => {
      const password = await site.createRootAdmin('Yetkin')
      const root = await (await desktop()).openRoomAs('Yetkin', password)
      const { page } = root
      // Of the wrong password; a list may load before the cookie has brought a token.
      root.errors.allow(/status of 40[13]/)
      const bad = await speaker('Perde')
      expect(await page.evaluate(() => localStorage.getItem('adminToken'))).not.toBeNull()
      await reopenWithCookie(page)
      await root.waitForRoom()

      // A command of the live protocol.
      await page.locator('.person', { hasText: 'Perde' }).click()
      await page.getByRole('button', { name: 'Diğer işlemler' }).click()
      await page.getByRole('menuitem', { name: 'Ghost Ban' }).click()
      expect(await page.evaluate(() => localStorage.getItem('adminToken'))).toBeNull()
      const form = page.getByRole('dialog', { name: 'Ghost Ban' })
      await form.getByRole('button', { name: 'Yasakla', exact: true }).click()
      await passwordDialog(page).waitFor()
      await waitForFocus(page, 'Şifre')
      await page.keyboard.type('yanlış şifre')
      await page.keyboard.press('Enter')
      await passwordDialog(page).getByText('Mevcut şifren yanlış.').waitFor()
      await givePassword(page, password)
      await page.getByText(/ghost banlandı\.$/).waitFor()
      await passwordDialog(page).waitFor({ state: 'detached' })

      // A route: the token of the dialog is good for it too.
      await page.getByRole('button', { name: 'Diğer işlemler' }).click()
      await page.getByRole('menuitem', { name: 'Ban Kaldır' }).click()
      await page.getByText('Perde kullanıcısının yasağı kaldırıldı.').waitFor()
      expect(await passwordDialog(page).count()).toBe(0)
      await bad.sendMessage('Hâlâ buradayım')
      await root.waitForMessage('Hâlâ buradayım')
    },
  )

  journey('[ACC-102] is asked once for a whole screen, and again only by the next try', async ({ site, desktop }) => {
    const password = await site.createRootAdmin('Yetkin')
    const root = await (await desktop()).openRoomAs('Yetkin', password)
    const { page } = root
    // A list may load before the cookie has brought a token.
    root.errors.allow(/status of 401/)
    await reopenWithCookie(page)
    await root.waitForRoom()
    await root.openContextMenu()
    await page.getByRole('menuitem', { name: 'Moderasyon' }).click()
    const screen = page.getByRole('dialog', { name: 'Moderasyon' })
    await passwordDialog(page).getByRole('button', { name: 'Vazgeç' }).click()
    await passwordDialog(page).waitFor({ state: 'detached' })
    await screen.getByRole('button', { name: 'Yasaklar', exact: true }).click()
    await givePassword(page, password)
    await screen.getByText('Yasaklı kullanıcı yok.').waitFor()
    await screen.getByRole('button', { name: 'Hareketler', exact: true }).click()
    await screen.getByLabel('Tür').waitFor()
    expect(await passwordDialog(page).count()).toBe(0)
  })
})
