import { describe, expect } from 'vitest'
import type { ChatPage } from './chat-page.ts'
import { uniqueName } from './connection-fixtures.ts'
import { journey } from './journey.ts'
import { updateSiteDatabase } from './user-list-fixtures.ts'

const profileDialog = ({ page }: ChatPage) => page.getByRole('dialog', { name: 'Profil', exact: true })
const followButton = (visitor: ChatPage, name: string) =>
  profileDialog(visitor).getByRole('button', { name, exact: true })
const count = (visitor: ChatPage, text: string) => profileDialog(visitor).getByText(text, { exact: true })
const toast = ({ page }: ChatPage, text: string) => page.locator('.toast', { hasText: text }).last().waitFor()

async function openProfileFromList(visitor: ChatPage, username: string): Promise<void> {
  await visitor.page.locator('m-island[data-name*=panel-host][data-live]').waitFor({ state: 'attached' })
  await visitor.page.locator('.person', { hasText: username }).click()
  await profileDialog(visitor).waitFor()
}

describe('a member who follows another', () => {
  journey(
    '[REL-36] [REL-39] [REL-40] [REL-61] is counted in the other profile, taken off by it, and ends the follow itself',
    async ({ desktop }) => {
      const [adaName, canName] = [uniqueName('Ada'), uniqueName('Can')]
      const ada = await (await desktop()).enterAsMember(adaName)
      const can = await (await desktop()).enterAsMember(canName)
      await openProfileFromList(ada, canName)
      await openProfileFromList(can, adaName)
      await count(ada, '0 takipçi').waitFor()
      await count(can, '0 takip edilen').waitFor()

      await followButton(ada, 'Takip Et').click()
      await toast(ada, 'Kullanıcı başarıyla takip edildi.')
      await followButton(ada, 'Takipten Çık').waitFor()
      await count(ada, '1 takipçi').waitFor()
      await count(can, '1 takip edilen').waitFor()
      await count(ada, '1 takipçi').click()
      const followers = ada.page.getByRole('dialog', { name: 'Takipçiler' })
      await followers.getByRole('button', { name: adaName, exact: true }).waitFor()
      expect(await followers.getByRole('button', { name: /^Takipten Çık/ }).count()).toBe(0)
      await followers.getByRole('button', { name: 'Geri' }).click()

      await can.openSideMenu()
      await profileDialog(can).waitFor({ state: 'hidden' })
      await can.page
        .getByRole('region', { name: 'Profil', exact: true })
        .getByRole('button', { name: '1 takipçi' })
        .click()
      const ownFollowers = can.page.getByRole('dialog', { name: 'Takipçiler' })
      await ownFollowers.getByRole('button', { name: `Takipçiyi Çıkar: ${adaName}` }).click()
      await toast(can, 'Takipçi çıkarıldı.')
      await ownFollowers.getByText('Henüz takipçi yok').waitFor()
      await followButton(ada, 'Takip Et').click()
      await followButton(ada, 'Takipten Çık').waitFor()
      await ownFollowers.getByRole('button', { name: adaName, exact: true }).click()
      await count(can, '1 takip edilen').waitFor()
      await ada.page.keyboard.press('Escape')
      await profileDialog(ada).waitFor({ state: 'hidden' })

      await ada.openSideMenu()
      const card = ada.page.getByRole('region', { name: 'Profil', exact: true })
      await card.getByRole('button', { name: '1 takip edilen' }).click()
      const following = ada.page.getByRole('dialog', { name: 'Takip edilenler' })
      await following.getByRole('button', { name: `Takipten Çık: ${canName}` }).click()
      await toast(ada, 'Takibi bıraktınız.')
      await following.getByText('Henüz takip edilen yok').waitFor()
      await card.getByText('0 takip edilen').waitFor()
      await count(can, '0 takip edilen').waitFor()
    },
  )

  journey(
    '[REL-36] [REL-37] [REL-38] asks a private account, which accepts; a block ends the follow',
    async ({ site, desktop, phone }) => {
      const [adaName, canName] = [uniqueName('Ada'), uniqueName('Can')]
      const ada = await (await desktop()).enterAsMember(adaName)
      const can = await (await phone()).enterAsMember(canName)
      updateSiteDatabase(site, "update user set accountPrivacy = 'private' where username = ?", canName)
      await openProfileFromList(ada, canName)
      await followButton(ada, 'İstek Gönder').click()
      await toast(ada, 'Takip isteğiniz gönderildi.')
      const pending = followButton(ada, 'Takip isteği yanıt bekliyor')
      await pending.waitFor()
      expect(await pending.isDisabled()).toBe(true)
      // The lists of a private account are for its followers.
      expect(
        await profileDialog(ada)
          .getByRole('button', { name: /takipçi/ })
          .count(),
      ).toBe(0)

      await can.page
        .getByRole('button', { name: /Odadaki kullanıcılar/ })
        .filter({ visible: true })
        .click()
      await openProfileFromList(can, adaName)
      await profileDialog(can).getByText('seni takip etmek istiyor.').waitFor()
      await followButton(can, 'Kabul et').click()
      await toast(can, 'Takip isteği kabul edildi.')
      await profileDialog(can).getByText('seni takip etmek istiyor.').waitFor({ state: 'hidden' })
      await count(can, '1 takip edilen').waitFor()
      await followButton(ada, 'Takipten Çık').waitFor()
      await profileDialog(ada).getByRole('button', { name: '1 takipçi' }).waitFor()

      await followButton(can, 'Engelle').click()
      await can.page
        .getByRole('dialog', { name: 'Engelle', exact: true })
        .getByRole('button', { name: 'Engelle', exact: true })
        .click()
      for (const visitor of [ada, can]) {
        await profileDialog(visitor).locator('.follow-section').waitFor({ state: 'detached' })
      }
      await followButton(can, 'Engeli Kaldır').click()
      await followButton(ada, 'İstek Gönder').waitFor()
      await count(ada, '0 takipçi').waitFor()
    },
  )

  journey(
    '[REL-37] [REL-38] [REL-40] shows refusals as warnings and failures as errors; guests have no follow button',
    async ({ site, desktop }) => {
      const [adaName, canName, guestName] = [uniqueName('Ada'), uniqueName('Can'), uniqueName('Konuk')]
      const can = await (await desktop()).enterAsMember(canName)
      const ada = await (await desktop()).enterAsMember(adaName)
      ada.errors.allow(/Failed to load resource|net::ERR_FAILED/)
      await openProfileFromList(ada, canName)
      await followButton(ada, 'Takip Et').waitFor()
      updateSiteDatabase(site, "update user set accountPrivacy = 'private' where username = ?", canName)
      await followButton(ada, 'Takip Et').click()
      await ada.page.locator('.toast--warning', { hasText: 'Bu kullanıcıya istek gönderilmelidir.' }).waitFor()
      await ada.page.route('**/api/follow/follow', (route) => route.abort(), { times: 1 })
      await followButton(ada, 'İstek Gönder').click()
      await ada.page.locator('.toast--error', { hasText: 'Takip isteği gönderilirken bir hata oluştu.' }).waitFor()
      await followButton(ada, 'İstek Gönder').click()
      await followButton(ada, 'Takip isteği yanıt bekliyor').waitFor()
      await openProfileFromList(can, adaName)
      await followButton(can, 'Reddet').click()
      await profileDialog(can).getByText('seni takip etmek istiyor.').waitFor({ state: 'hidden' })

      const guest = await (await desktop()).openRoomAsGuest(guestName)
      await openProfileFromList(guest, adaName)
      await count(guest, '0 takipçi').waitFor()
      expect(await followButton(guest, 'Takip Et').count()).toBe(0)
      await can.page.keyboard.press('Escape')
      await openProfileFromList(can, guestName)
      await followButton(can, 'Engelle').waitFor()
      expect(await profileDialog(can).locator('.follow-section').count()).toBe(0)
    },
  )
})
