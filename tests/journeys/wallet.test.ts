// @module-tag deep
import type { Locator } from 'playwright-core'
import { describe, expect } from 'vitest'
import type { LiveUser } from '../drivers/live-user.ts'
import { updateSiteDatabase } from '../drivers/site.ts'
import { setBankDetails } from '../screens/load-screens.ts'
import type { ChatPage } from './chat-page.ts'
import { journey } from './journey.ts'
import { tabTo, waitForFocus } from './keyboard-focus.ts'
import { PREMIUM_FILTER_TEXT } from './user-list-fixtures.ts'

const waitForToast = ({ page }: ChatPage, text: string) => page.locator('.toast', { hasText: text }).last().waitFor()
const wizardOf = ({ page }: ChatPage): Locator => page.getByRole('dialog', { name: 'Bakiye Yükleme Talebi' })
const balanceOf = ({ page }: ChatPage, text: string) =>
  page.getByRole('button', { name: `Bakiye ${text}`, exact: true })
const cardOf = ({ page }: ChatPage) => page.getByRole('region', { name: 'Profil', exact: true })

/** Resolves when the list of people of this user shows this tier of a member. */
function waitForTier({ connection }: LiveUser, username: string, premiumStatus: 'guest' | 'premium'): Promise<void> {
  return connection.waitFor(() => {
    const updates = connection.receivedEvents('userUpdated').filter(({ user }) => user.username === username)
    return updates.at(-1)?.user.premiumStatus === premiumStatus
  })
}

/** Asks for a load by keyboard alone, from the wizard's first step on. */
async function askByKeyboard(member: ChatPage): Promise<void> {
  const { page } = member
  await waitForFocus(page, 'Ad Soyad')
  await page.keyboard.press('Enter')
  await waitForToast(member, 'Lütfen ad ve soyad giriniz!')
  await page.keyboard.type('Ayşe Yılmaz')
  await page.keyboard.press('Enter')
  await page.getByRole('radio', { name: '100 ₺', exact: true }).waitFor()
  await page.getByRole('radio').first().and(page.locator(':focus')).waitFor()
  await page.keyboard.press('Enter')
  await waitForToast(member, 'Lütfen bir yükleme miktarı seçiniz!')
  await page.keyboard.press('ArrowDown')
  expect(await page.getByRole('radio', { name: '100 ₺', exact: true }).isChecked()).toBe(true)
  await page.keyboard.press('Enter')
  await wizardOf(member).getByText('TR33 0006').waitFor()
  await tabTo(page, 'Talebi Gönder')
  await page.keyboard.press('Enter')
  await waitForToast(member, 'Yükleme talebiniz oluşturuldu ve onay bekliyor.')
  await wizardOf(member).waitFor({ state: 'detached' })
}

async function filterByWomen({ page }: ChatPage): Promise<Locator> {
  const list = page.getByRole('button', { name: /Odadaki kullanıcılar/ })
  if ((await list.getAttribute('aria-expanded')) === 'false') await list.click()
  const button = page.getByRole('button', { name: 'Kadınlar' })
  await button.click()
  return button
}

describe('the wallet', () => {
  journey(
    '[STAR-01] [STAR-07] [STAR-10] [PREM-01] [PREM-03] [PREM-06] [PREM-09] [PREM-10] is loaded by a request and pays for premium, live until its end',
    async ({ site, desktop, speaker }) => {
      setBankDetails(site)
      const root = await speaker('Kök', { role: 'rootAdmin' })
      const member = await (await desktop()).enterAsMember('Ayşe')
      const { page } = member
      member.errors.allow(/status of 409/)
      await filterByWomen(member)
      await waitForToast(member, PREMIUM_FILTER_TEXT)
      await member.openSideMenu()
      await balanceOf(member, '0 ₺').waitFor()
      await page.getByRole('button', { name: 'Premium ol · 50 ₺' }).click()
      const premium = page.getByRole('dialog', { name: 'Premium üyelik' })
      await premium.getByRole('button', { name: 'Onayla · 50 ₺' }).click()
      await waitForToast(member, 'Yetersiz bakiye! Hata!')
      await premium.getByRole('button', { name: 'Bakiye Yükle' }).click()
      await askByKeyboard(member)

      await page.keyboard.press('Escape')
      await member.sideMenuEntry('Yüklemeler').click()
      const loads = page.getByRole('dialog', { name: 'Yüklemeler' })
      await loads.getByRole('cell', { name: 'Bekliyor' }).waitFor()
      await root.fetch('/api/star-requests/1/approve', {}, root.signedIn.adminToken)
      await loads.getByRole('cell', { name: 'Onaylandı' }).waitFor()
      await page.keyboard.press('Escape')
      await balanceOf(member, '100 ₺').waitFor()

      await page.getByRole('button', { name: 'Premium ol · 50 ₺' }).click()
      await premium.getByRole('button', { name: 'Onayla · 50 ₺' }).click()
      await premium.waitFor({ state: 'detached' })
      await cardOf(member).getByText('Premium: 30 gün kaldı').waitFor()
      await cardOf(member).getByText('Premium', { exact: true }).waitFor()
      await balanceOf(member, '50 ₺').waitFor()
      await waitForTier(root, 'Ayşe', 'premium')
      const women = await filterByWomen(member)
      await expect.poll(() => women.getAttribute('aria-pressed')).toBe('true')

      updateSiteDatabase(site, `update user set premiumUntil = ${Date.now() - 1} where username = 'Ayşe'`)
      await expect.poll(() => women.getAttribute('aria-pressed')).toBe('false')
      await waitForTier(root, 'Ayşe', 'guest')
      await member.openSideMenu()
      await cardOf(member).getByText('Premium bitti!').waitFor()
    },
  )

  journey(
    '[STAR-01] the wizard goes back by the arrow, Esc and Back, and forgets what is closed',
    async ({ site, phone }) => {
      setBankDetails(site)
      const member = await phone({ permissions: ['clipboard-read', 'clipboard-write'] })
      const { page } = await member.enterAsMember('Can')
      await member.openSideMenu()
      await page.getByRole('button', { name: 'Bakiye Yükle' }).click()
      const wizard = wizardOf(member)
      const next = wizard.getByRole('button', { name: 'Devam et' })
      await wizard.getByLabel('Ad Soyad').fill('Can Demir')
      await next.click()
      await wizard.getByText('250 ₺').click()
      await next.click()
      for (const [name, copied] of [
        ['Tutar', '250'],
        ['Banka', 'Deniz Bankası'],
        ['Hesap sahibi', 'Meydan Sohbet A.Ş.'],
        ['IBAN', 'TR330006100519786457841326'],
      ] as const) {
        const button = wizard.getByRole('button', { name: `Kopyala: ${name}` })
        const { width = 0, height = 0 } = (await button.boundingBox()) ?? {}
        expect(Math.min(width, height)).toBeGreaterThanOrEqual(44)
        await button.click()
        await waitForToast(member, 'Kopyalandı!')
        expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(copied)
      }

      // No page can keep a browser from closing a dialog at the second Esc in a row.
      await page.keyboard.press('Escape')
      await page.keyboard.press('Escape')
      await wizard.getByLabel('Ad Soyad').waitFor()
      expect(await wizard.getByLabel('Ad Soyad').inputValue()).toBe('Can Demir')
      await next.click()
      await page.mouse.click(10, 10)
      await wizard.getByText('250 ₺').waitFor()
      await wizard.getByRole('button', { name: 'Geri' }).click()
      await wizard.getByRole('button', { name: 'Geri' }).click()
      await wizard.waitFor({ state: 'detached' })
      await page.getByRole('button', { name: 'Bakiye Yükle' }).click()
      expect(await wizard.getByLabel('Ad Soyad').inputValue()).toBe('')
      await page.mouse.click(10, 10)
      await wizard.waitFor({ state: 'detached' })

      updateSiteDatabase(site, 'delete from bankDetails')
      await page.reload()
      await member.waitForRoom()
      await member.openSideMenu()
      await page.getByRole('button', { name: 'Bakiye Yükle' }).click()
      await wizard.getByLabel('Ad Soyad').fill('Can Demir')
      await next.click()
      await wizard.getByText('250 ₺').click()
      await next.click()
      await wizard.getByText('Ödeme bilgileri henüz tanımlanmadı.').waitFor()
      expect(await wizard.getByRole('button', { name: 'Talebi Gönder' }).count()).toBe(0)
    },
  )

  journey('[PREM-05] offers a guest the upgrade alone, which leads to signing up', async ({ desktop }) => {
    const guest = await (await desktop()).openRoomAsGuest('Konuk')
    await guest.openSideMenu()
    const buttons = cardOf(guest).getByRole('button')
    await expect.poll(() => buttons.allTextContents()).toEqual(['Premium ol · 50 ₺'])
    await buttons.click()
    await guest.page.getByRole('dialog', { name: 'Üye Ol' }).waitFor()
  })
})
