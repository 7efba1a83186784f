import { describe, expect } from 'vitest'
import type { LiveUser } from '../drivers/live-user.ts'
import { readSiteDatabase, type Site, updateSiteDatabase } from '../drivers/site.ts'
import { openUserList } from '../screens/screen-steps.ts'
import type { ChatPage } from './chat-page.ts'
import { journey } from './journey.ts'

const profileDialog = ({ page }: ChatPage) => page.getByRole('dialog', { name: 'Profil', exact: true })
const followButton = (visitor: ChatPage, name: string) =>
  profileDialog(visitor).getByRole('button', { name, exact: true })
const count = (visitor: ChatPage, text: string) => profileDialog(visitor).getByText(text, { exact: true })
const incomingRequest = (visitor: ChatPage) => profileDialog(visitor).getByText('seni takip etmek istiyor.')
const toast = ({ page }: ChatPage, text: string) => page.locator('.toast', { hasText: text }).last().waitFor()

async function openProfileFromList(visitor: ChatPage, username: string): Promise<void> {
  await visitor.page.locator('m-island[data-name*=panel-host][data-live]').waitFor({ state: 'attached' })
  await visitor.page.locator('.person', { hasText: username }).click()
  await profileDialog(visitor).waitFor()
}

type FollowRoute = 'follow' | 'unfollow' | 'accept-follow' | 'remove-follower'

/** Changes how the first user follows the second one; `request` asks a private account. */
async function postFollow(
  site: Site,
  by: LiveUser,
  route: FollowRoute,
  usernames: [string, string],
  request = false,
): Promise<void> {
  const idOf = (username: string) => readSiteDatabase(site, 'select id from user where username = ?', username)
  const [followerId, followingId] = usernames.map(idOf)
  await by.fetch(`/api/follow/${route}`, { followerId, followingId, request })
}

describe('a member who follows another', () => {
  journey(
    '[REL-36] [REL-39] [REL-40] [REL-61] is counted in the other profile, taken off by it, and ends the follow itself',
    async ({ site, speaker, desktop }) => {
      const ada = await (await desktop()).enterAsMember('Adanur')
      const can = await speaker('Caner', { role: 'member' })
      await openProfileFromList(ada, 'Caner')
      await count(ada, '0 takipçi').waitFor()
      await count(ada, '0 takip edilen').waitFor()

      await followButton(ada, 'Takip Et').click()
      await toast(ada, 'Kullanıcı başarıyla takip edildi.')
      await followButton(ada, 'Takipten Çık').waitFor()
      await count(ada, '1 takipçi').waitFor()
      await count(ada, '1 takipçi').click()
      const followers = ada.page.getByRole('dialog', { name: 'Takipçiler' })
      await followers.getByRole('button', { name: 'Adanur', exact: true }).waitFor()
      expect(await followers.getByRole('button', { name: /^Takipten Çık/ }).count()).toBe(0)
      await followers.getByRole('button', { name: 'Geri' }).click()

      await postFollow(site, can, 'remove-follower', ['Adanur', 'Caner'])
      await followButton(ada, 'Takip Et').click()
      await followButton(ada, 'Takipten Çık').waitFor()
      for (const route of ['follow', 'unfollow', 'follow'] as const) {
        await postFollow(site, can, route, ['Caner', 'Adanur'])
        await count(ada, route === 'follow' ? '1 takip edilen' : '0 takip edilen').waitFor()
      }

      await ada.openSideMenu()
      await profileDialog(ada).waitFor({ state: 'hidden' })
      const card = ada.page.getByRole('region', { name: 'Profil', exact: true })
      await card.getByRole('button', { name: '1 takip edilen' }).click()
      const following = ada.page.getByRole('dialog', { name: 'Takip edilenler' })
      await following.getByRole('button', { name: 'Takipten Çık: Caner' }).click()
      await toast(ada, 'Takibi bıraktınız.')
      await following.getByText('Henüz takip edilen yok').waitFor()
      await card.getByText('0 takip edilen').waitFor()
      const { connection } = can
      await connection.waitFor(() => connection.receivedEvents('userUnfollowed').at(-1)?.followerUsername === 'Adanur')
      expect(connection.receivedEvents('userUnfollowed').at(-1)?.followingCount).toBe(0)
      await following.getByRole('button', { name: 'Geri' }).click()

      await card.getByRole('button', { name: '1 takipçi' }).click()
      await followers.getByRole('button', { name: 'Takipçiyi Çıkar: Caner' }).click()
      await toast(ada, 'Takipçi çıkarıldı.')
      await followers.getByText('Henüz takipçi yok').waitFor()
      await postFollow(site, can, 'follow', ['Caner', 'Adanur'])
      await followers.getByRole('button', { name: 'Caner', exact: true }).click()
      await count(ada, '1 takip edilen').waitFor()
    },
  )

  journey(
    '[REL-36] [REL-37] [REL-38] asks a private account, which accepts; a block ends the follow',
    { tags: 'deep' },
    async ({ site, speaker, phone }) => {
      const ada = await (await phone()).enterAsMember('Adanur')
      const can = await speaker('Caner', { role: 'member' })
      updateSiteDatabase(site, "update user set accountPrivacy = 'private'")
      await openUserList(ada)
      await openProfileFromList(ada, 'Caner')
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
      await postFollow(site, can, 'accept-follow', ['Adanur', 'Caner'])
      await followButton(ada, 'Takipten Çık').waitFor()
      await profileDialog(ada).getByRole('button', { name: '1 takipçi' }).waitFor()

      await postFollow(site, can, 'follow', ['Caner', 'Adanur'], true)
      await incomingRequest(ada).waitFor()
      await followButton(ada, 'Kabul et').click()
      await toast(ada, 'Takip isteği kabul edildi.')
      await incomingRequest(ada).waitFor({ state: 'hidden' })
      await count(ada, '1 takip edilen').waitFor()

      const followSection = profileDialog(ada).locator('.follow-section')
      await can.fetch('/api/users/block', { blockedUsername: 'Adanur' })
      await followSection.waitFor({ state: 'detached' })
      await can.fetch('/api/users/unblock', { blockedUsername: 'Adanur' })
      await followButton(ada, 'İstek Gönder').waitFor()
      for (const text of ['0 takipçi', '0 takip edilen']) await count(ada, text).waitFor()
      await followButton(ada, 'Engelle').click()
      await ada.page
        .getByRole('dialog', { name: 'Engelle', exact: true })
        .getByRole('button', { name: 'Engelle', exact: true })
        .click()
      await followSection.waitFor({ state: 'detached' })
      await followButton(ada, 'Engeli Kaldır').click()
      await followButton(ada, 'İstek Gönder').waitFor()
    },
  )

  journey(
    '[REL-37] [REL-38] [REL-40] shows refusals as warnings and failures as errors; guests have no follow button',
    async ({ site, speaker, desktop }) => {
      const can = await speaker('Caner', { role: 'member' })
      const ada = await (await desktop()).enterAsMember('Adanur')
      ada.errors.allow(/Failed to load resource|net::ERR_FAILED/)
      await openProfileFromList(ada, 'Caner')
      await followButton(ada, 'Takip Et').waitFor()
      updateSiteDatabase(site, "update user set accountPrivacy = 'private'")
      await followButton(ada, 'Takip Et').click()
      await ada.page.locator('.toast--warning', { hasText: 'Bu kullanıcıya istek gönderilmelidir.' }).waitFor()
      await ada.page.route('**/api/follow/follow', (route) => route.abort(), { times: 1 })
      await followButton(ada, 'İstek Gönder').click()
      await ada.page.locator('.toast--error', { hasText: 'Takip isteği gönderilirken bir hata oluştu.' }).waitFor()
      await followButton(ada, 'İstek Gönder').click()
      await followButton(ada, 'Takip isteği yanıt bekliyor').waitFor()
      await postFollow(site, can, 'follow', ['Caner', 'Adanur'], true)
      await followButton(ada, 'Reddet').click()
      await incomingRequest(ada).waitFor({ state: 'hidden' })

      const guest = await (await desktop()).openRoomAsGuest('Yabancı')
      await openProfileFromList(guest, 'Adanur')
      await count(guest, '0 takipçi').waitFor()
      for (const label of ['Takip Et', 'İstek Gönder']) expect(await followButton(guest, label).count()).toBe(0)
      await ada.page.keyboard.press('Escape')
      await openProfileFromList(ada, 'Yabancı')
      await followButton(ada, 'Engelle').waitFor()
      expect(await profileDialog(ada).locator('.follow-section').count()).toBe(0)
    },
  )
})
