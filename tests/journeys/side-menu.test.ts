import { describe, expect } from 'vitest'
import { updateSiteDatabase } from '../drivers/site.ts'
import type { ChatPage } from './chat-page.ts'
import { journey } from './journey.ts'
import { tabTo, waitForFocus } from './keyboard-focus.ts'

/** The entries of the side menu, top to bottom. */
function menuEntries({ page }: ChatPage): Promise<string[]> {
  return page.getByRole('navigation', { name: 'Profilim' }).getByRole('button').allTextContents()
}

const profileCard = ({ page }: ChatPage) => page.getByRole('region', { name: 'Profil', exact: true })

describe('the side menu', () => {
  journey('[SHELL-28] opens beside the thread and closes by the same button', async ({ desktop }) => {
    const visitor = await (await desktop()).openRoomAsGuest('Yanda')
    const { page } = visitor
    const button = page.getByRole('button', { name: 'Profilim' })
    await visitor.openSideMenu()
    expect(await button.getAttribute('aria-expanded')).toBe('true')
    const panel = page.getByRole('complementary', { name: 'Profilim' })
    expect((await panel.boundingBox())?.width).toBe(384)
    expect(await page.getByRole('heading', { name: /Odadakiler/ }).count()).toBe(0)
    await page.getByRole('button', { name: /Odadaki kullanıcılar/ }).click()
    await page.getByRole('heading', { name: /Odadakiler/ }).waitFor()
    expect(await panel.count()).toBe(0)
    await visitor.openSideMenu()
    await button.click()
    await panel.waitFor({ state: 'detached' })
    expect(await button.getAttribute('aria-expanded')).toBe('false')
  })

  journey('[SHELL-35] opens by a click on the own row in the user list', async ({ desktop }) => {
    const { page } = await (await desktop()).openRoomAsGuest('Kendim')
    await page.locator('.person', { hasText: 'Kendim' }).click()
    await page.getByRole('complementary', { name: 'Profilim' }).waitFor()
    expect(await page.getByRole('heading', { name: /Odadakiler/ }).count()).toBe(0)
    expect(await page.getByRole('dialog').count()).toBe(0)
  })

  journey(
    '[SHELL-28] is a sheet on a phone with buttons of at least 44 px, and closes with Esc',
    { tags: 'deep' },
    async ({ phone }) => {
      const visitor = await (await phone()).openRoomAsGuest('Cepte')
      const { page } = visitor
      await tabTo(page, 'Profilim')
      await page.keyboard.press('Enter')
      const sheet = page.getByRole('dialog', { name: 'Profilim' })
      await visitor.sideMenuEntry('Çıkış Yap').waitFor()
      for (const button of [
        page.getByRole('button', { name: 'Profilim' }),
        ...(await sheet.getByRole('button').all()),
      ]) {
        const { width = 0, height = 0 } = (await button.boundingBox()) ?? {}
        expect(Math.min(width, height)).toBeGreaterThanOrEqual(44)
      }
      await tabTo(page, 'Tercihlerim')
      await page.keyboard.press('Enter')
      const preferences = page.getByRole('dialog', { name: 'Tercihlerim' })
      await preferences.waitFor()
      await page.keyboard.press('Escape')
      await preferences.waitFor({ state: 'hidden' })
      expect(await sheet.isVisible()).toBe(true)
      await waitForFocus(page, 'Tercihlerim')
      await page.keyboard.press('Escape')
      await sheet.waitFor({ state: 'hidden' })
      await waitForFocus(page, 'Profilim')
    },
  )

  journey(
    '[SHELL-29] offers guests two entries, members the order of the specification, root admins all users too',
    async ({ site, desktop }) => {
      const guest = await (await desktop()).openRoomAsGuest('Konuk')
      await guest.openSideMenu()
      expect(await menuEntries(guest)).toEqual(['Tercihlerim', 'Çıkış Yap'])
      expect(await guest.page.getByRole('button', { name: 'Çıkış Yap' }).count()).toBe(2)
      await guest.page.getByRole('button', { name: 'Üye Ol' }).click()
      await guest.page.getByRole('dialog', { name: 'Üye Ol' }).waitFor()

      const member = await (await desktop()).enterAsMember('Üyecik')
      await member.openSideMenu()
      const memberEntries = [
        'Tercihlerim',
        'Odalarım',
        'Gönderilerim',
        'Yüklemeler',
        'Ödemeler',
        'Hesap hareketleri',
        'Profili Güncelle',
        'Oturumlarım',
        'Engellenen Kullanıcılar',
        'Çıkış Yap',
      ]
      expect(await menuEntries(member)).toEqual(memberEntries)
      expect(await member.page.getByRole('button', { name: 'Üye Ol' }).count()).toBe(0)

      const root = await (await desktop()).openRoomAs('Yönetici', await site.createRootAdmin('Yönetici'))
      await root.openSideMenu()
      expect(await menuEntries(root)).toEqual(
        memberEntries.toSpliced(-1, 0, 'Tüm Kullanıcılar', 'Talepler', 'Seçenekler'),
      )
      await root.sideMenuEntry('Tüm Kullanıcılar').click()
      await root.page.getByRole('searchbox', { name: 'Kullanıcılarda ara...' }).waitFor()
    },
  )

  journey('[SHELL-30] shows the own profile and its changes at once', { tags: 'deep' }, async ({ site, desktop }) => {
    const guest = await (await desktop()).openRoomAsGuest('Değişen')
    await guest.openSideMenu()
    expect(await profileCard(guest).textContent()).toBe('DeğişenMisafirPremium ol · 50 ₺')
    await guest.page.evaluate(async () => {
      const headers = { 'Content-Type': 'application/json', Authorization: `Bearer ${localStorage.getItem('token')}` }
      const body = JSON.stringify({ username: 'Değişen', gender: 'female', lastLoginPlatform: 'web' })
      await fetch('/api/users/guest-login', { method: 'POST', headers, body })
    })
    for (const place of [profileCard(guest), guest.page.getByRole('button', { name: 'Profilim' })])
      await place.locator('img[src="/staticImages/female.webp"]').waitFor()

    const member = await (await desktop()).enterAsMember('Anlatan')
    updateSiteDatabase(
      site,
      "update user set age = 27, city = 'İzmir', bio = '<b>Merhaba</b>' where username = 'Anlatan'",
    )
    await member.openSideMenu()
    await profileCard(member).getByText('27 yaşında').waitFor()
    await profileCard(member).getByText('0 takipçi').waitFor()
    expect(await profileCard(member).textContent()).toContain(
      'AnlatanMember27 yaşındaİzmir<b>Merhaba</b>0 takipçi0 takip edilenBakiye',
    )
  })

  journey('[SHELL-30] offers another try when the own profile cannot be loaded', async ({ site, desktop }) => {
    const member = await (await desktop()).enterAsMember('Şanssız')
    updateSiteDatabase(site, "update user set city = 'Van' where username = 'Şanssız'")
    member.errors.allow(/Failed to load resource/)
    await member.page.route('**/api/users/account', (route) => route.abort(), { times: 1 })
    await member.openSideMenu()
    await member.page.getByText('Profil alınırken bir hata oluştu.').waitFor()
    await profileCard(member).getByRole('button', { name: 'Tekrar dene' }).click()
    await profileCard(member).getByText('Van').waitFor()
  })
})
