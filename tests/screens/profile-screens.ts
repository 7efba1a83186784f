import type { Locator } from 'playwright-core'
import { foldName } from '../../src/shared/text/turkish.ts'
import { type Site, updateSiteDatabase } from '../drivers/site.ts'
import { createTestPhoto } from '../fixtures/test-photo.ts'
import type { ChatPage } from '../journeys/chat-page.ts'
import { enterAsRootAdmin, enterRoomWhenListed, openUserList, type Screen } from './screen-steps.ts'

/** Opens the profile editor of a user with age, city and bio. */
async function openEditor(visitor: ChatPage, site: Site): Promise<Locator> {
  await enterAsRootAdmin(visitor, site)
  updateSiteDatabase(
    site,
    `update user set age = 27, city = 'İzmir', avatarUrl = null, largeAvatarUrl = null,
     bio = 'Gündüz mimar, gece plak toplayıcısı. Kedim Pamuk ile birlikte Alsancak’ta yaşıyorum.'
     where username = 'Zeynep'`,
  )
  await visitor.openSideMenu()
  await visitor.sideMenuEntry('Profili Güncelle').click()
  const editor = visitor.page.getByRole('dialog', { name: 'Bilgilerimi Güncelle' })
  await editor.getByLabel('Hakkımda').waitFor()
  return editor
}

async function openCropper(visitor: ChatPage, site: Site): Promise<Locator> {
  const editor = await openEditor(visitor, site)
  await editor.getByLabel('Fotoğraf seç').setInputFiles(await createTestPhoto())
  await editor.getByRole('slider', { name: 'Yakınlaştır' }).waitFor()
  return editor
}

/** A member without a browser, with everything that a profile shows. */
function addMember(site: Site, name: string, accountPrivacy: 'public' | 'private'): void {
  updateSiteDatabase(
    site,
    `insert into user (username, foldedName, gender, isGuest, role, lastLoginPlatform, accountPrivacy, age, city, bio,
       premiumUntil, createdAt, lastSeenAt)
     select '${name}', '${foldName(name)}', 'male', 0, 'member', 'mobile', '${accountPrivacy}', 31, 'Ankara',
       'Bisiklet, kahve ve eski haritalar. Hafta sonları Eymir’de turdayım.', 9999999999999, 0, ${Date.now() - 3 * 86_400_000}
     where not exists (select 1 from user where username = '${name}')`,
  )
}

async function openLinkedProfile({ page }: ChatPage, name: string): Promise<Locator> {
  await page.goto(`/room/1?${new URLSearchParams({ profil: name })}`)
  const profile = page.getByRole('dialog', { name: 'Profil', exact: true })
  await profile.waitFor()
  return profile
}

/** The profile editor, and the profile that others see. */
export const profileScreens: Screen[] = [
  {
    name: 'profile-full',
    signedInAs: 'guest',
    open: async (visitor, site) => {
      await enterRoomWhenListed(visitor)
      addMember(site, 'Kerem', 'public')
      updateSiteDatabase(
        site,
        "update room set ownerId = (select id from user where username = 'Kerem') where name in ('Müzik', 'Gece Kuşları')",
      )
      const profile = await openLinkedProfile(visitor, 'Kerem')
      await profile.getByRole('link', { name: '#Müzik' }).waitFor()
    },
  },
  {
    name: 'profile-private',
    signedInAs: 'guest',
    open: async (visitor, site) => {
      await enterRoomWhenListed(visitor)
      addMember(site, 'Selim', 'private')
      await (await openLinkedProfile(visitor, 'Selim')).getByText('Bu hesap gizli.').waitFor()
    },
  },
  {
    name: 'profile-loading',
    signedInAs: 'guest',
    open: async (visitor) => {
      await enterRoomWhenListed(visitor)
      // This request is never answered; those of the next screen are.
      await visitor.page.route('**/api/users/profile-consolidated/*', () => {}, { times: 1 })
      await (await openLinkedProfile(visitor, 'Kerem')).getByRole('status', { name: 'Yükleniyor...' }).waitFor()
    },
  },
  {
    name: 'profile-missing',
    signedInAs: 'guest',
    expectedError: /status of 404/,
    open: async (visitor) => {
      await enterRoomWhenListed(visitor)
      await (await openLinkedProfile(visitor, 'Kimsesiz')).getByText('Profil bulunamadı.').waitFor()
    },
  },
  { name: 'profile-editor', signedInAs: 'rootAdmin', open: openEditor },
  { name: 'profile-editor-crop', signedInAs: 'rootAdmin', open: openCropper },
  {
    name: 'profile-editor-avatar',
    signedInAs: 'rootAdmin',
    open: async (visitor, site) => {
      const editor = await openCropper(visitor, site)
      await editor.getByRole('button', { name: 'Fotoğrafı kullan' }).click()
      await editor.getByAltText('Yeni fotoğrafın').waitFor()
    },
  },
  {
    name: 'profile-editor-errors',
    signedInAs: 'rootAdmin',
    expectedError: /status of 403/,
    open: async (visitor, site) => {
      const editor = await openEditor(visitor, site)
      await editor.getByText('Şifreni değiştir', { exact: true }).click()
      await editor.getByLabel('Mevcut şifre').fill('bir tahmin')
      for (const label of ['Yeni şifre', 'Yeni şifre (tekrar)']) {
        await editor.getByLabel(label, { exact: true }).fill('yepyeni bir şifre')
      }
      await editor.getByRole('button', { name: 'Kaydet' }).click()
      await editor.getByText('Mevcut şifren yanlış.').waitFor()
      await editor.getByText('Mevcut şifren yanlış.').scrollIntoViewIfNeeded()
    },
  },
  {
    name: 'profile-editor-discard',
    signedInAs: 'rootAdmin',
    open: async (visitor, site) => {
      const editor = await openEditor(visitor, site)
      await editor.getByLabel('Konum').fill('Eskişehir')
      await visitor.page.keyboard.press('Escape')
      await editor.getByText('Kaydetmediğin değişiklikler var.').waitFor()
    },
  },
  {
    name: 'profile-avatar',
    signedInAs: 'rootAdmin',
    open: async (visitor, site) => {
      const editor = await openCropper(visitor, site)
      await editor.getByRole('button', { name: 'Fotoğrafı kullan' }).click()
      await editor.getByAltText('Yeni fotoğrafın').waitFor()
      await editor.getByRole('button', { name: 'Kaydet' }).click()
      await editor.waitFor({ state: 'hidden' })
      await visitor.page.keyboard.press('Escape')
      await openUserList(visitor)
      await visitor.page.locator('.person', { hasText: 'Zeynep' }).click()
      const profile = visitor.page.getByRole('region', { name: 'Profil', exact: true })
      await profile.getByText('Gündüz mimar').waitFor()
      await profile.locator('.avatar-picture[data-loaded=true]').waitFor()
    },
  },
]
