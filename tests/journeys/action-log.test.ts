import { describe, expect } from 'vitest'
import { createSiteRootAdmin } from '../drivers/site-process.ts'
import { openModeration } from '../screens/moderation-screens.ts'
import { uniqueName } from './connection-fixtures.ts'
import { journey } from './journey.ts'

describe("'Hareketler' of 'Moderasyon'", () => {
  journey('[AUDIT-10] announces what is new, filters it, and leads to the person', async ({ site, desktop }) => {
    const own = uniqueName('Yetkin')
    const root = await (await desktop()).openRoomAs(own, await createSiteRootAdmin(site, own))
    const screen = await openModeration(root, 'Hareketler')
    const entries = screen.locator('.action')
    await entries.filter({ hasText: own }).waitFor()
    const news = screen.getByRole('button', { name: 'Yeni hareketler var' })
    expect(await news.count()).toBe(0)

    const [other, another] = [uniqueName('Yeni'), uniqueName('Sonra')]
    for (const name of [other, another]) await createSiteRootAdmin(site, name)
    await news.waitFor()
    expect(await entries.filter({ hasText: other }).count()).toBe(0)
    await news.click()
    await entries.filter({ hasText: other }).waitFor()
    await expect.poll(() => entries.first().textContent()).toContain(another)
    await news.waitFor({ state: 'hidden' })

    // The name is typed and the kind is chosen before the name is applied: both hold.
    await screen.getByLabel('Kişi', { exact: true }).fill(other)
    await screen.getByLabel('Tür').selectOption({ label: 'Siteden yasakladı' })
    await screen.getByText('Bu filtreyle hareket bulunamadı.').waitFor()
    await screen.getByLabel('Tür').selectOption({ label: 'Root admin yaptı' })
    await expect.poll(() => entries.count()).toBe(1)
    await entries.getByRole('button', { name: other }).click()
    await root.page.getByRole('dialog', { name: 'Profil', exact: true }).getByText(other).first().waitFor()
  })
})
