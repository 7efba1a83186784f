// @module-tag deep
import { describe, expect } from 'vitest'
import { openModeration } from '../screens/moderation-screens.ts'
import { journey } from './journey.ts'

describe("'Hareketler' of 'Moderasyon'", () => {
  journey('[AUDIT-10] announces what is new, filters it, and leads to the person', async ({ site, desktop }) => {
    const root = await (await desktop()).openRoomAs('Yetkin', await site.createRootAdmin('Yetkin'))
    const screen = await openModeration(root, 'Hareketler')
    const entries = screen.locator('.action')
    await entries.filter({ hasText: 'Yetkin' }).waitFor()
    const news = screen.getByRole('button', { name: 'Yeni hareketler var' })
    expect(await news.count()).toBe(0)

    for (const name of ['Öncegelen', 'Sonragelen']) await site.createRootAdmin(name)
    await news.waitFor()
    expect(await entries.filter({ hasText: 'Öncegelen' }).count()).toBe(0)
    await news.click()
    await entries.filter({ hasText: 'Öncegelen' }).waitFor()
    await expect.poll(() => entries.first().textContent()).toContain('Sonragelen')
    await news.waitFor({ state: 'hidden' })

    // The name is typed and the kind is chosen before the name is applied: both hold.
    await screen.getByLabel('Kişi', { exact: true }).fill('Öncegelen')
    await screen.getByLabel('Tür').selectOption({ label: 'Siteden yasakladı' })
    await screen.getByText('Bu filtreyle hareket bulunamadı.').waitFor()
    await screen.getByLabel('Tür').selectOption({ label: 'Root admin yaptı' })
    await expect.poll(() => entries.count()).toBe(1)
    await entries.getByRole('button', { name: 'Öncegelen' }).click()
    await root.page.getByRole('dialog', { name: 'Profil', exact: true }).getByText('Öncegelen').first().waitFor()
  })
})
