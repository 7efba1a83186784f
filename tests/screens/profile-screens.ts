import type { Locator } from 'playwright-core'
import type { SiteProcess } from '../drivers/site-process.ts'
import { createTestPhoto } from '../fixtures/test-photo.ts'
import type { ChatPage } from '../journeys/chat-page.ts'
import { enterAsRootAdmin, openUserList, type Screen, updateSiteDatabase } from './screen-steps.ts'

/** Opens the profile editor of a user with age, city and bio. */
async function openEditor(visitor: ChatPage, site: SiteProcess): Promise<Locator> {
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

async function openCropper(visitor: ChatPage, site: SiteProcess): Promise<Locator> {
  const editor = await openEditor(visitor, site)
  await editor.getByLabel('Fotoğraf seç').setInputFiles(await createTestPhoto())
  await editor.getByRole('slider', { name: 'Yakınlaştır' }).waitFor()
  return editor
}

/** The profile editor, and the profile that others see. */
export const profileScreens: Screen[] = [
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
      await editor.getByText('Mevcut şifreniz yanlış.').waitFor()
      await editor.getByText('Mevcut şifreniz yanlış.').scrollIntoViewIfNeeded()
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
