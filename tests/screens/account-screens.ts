import type { Locator } from 'playwright-core'
import { expectAnswer, LiveConnection, signIn } from '../drivers/live-connection.ts'
import { type Site, updateSiteDatabase } from '../drivers/site.ts'
import type { ChatPage } from '../journeys/chat-page.ts'
import { enterAsRootAdmin, enterRoomWhenListed, openUserList, type Screen, waitForUserList } from './screen-steps.ts'

let memberCount = 0

/** Opens the dialog of a side-menu entry. */
async function openSideMenuDialog(visitor: ChatPage, entry: string): Promise<void> {
  await visitor.openSideMenu()
  await visitor.sideMenuEntry(entry).click()
  await visitor.page.getByRole('dialog', { name: entry }).waitFor()
}

/** Enters as a root admin with no other session, also after a screen that added some. */
async function enterWithOneSession(visitor: ChatPage, site: Site): Promise<void> {
  await enterAsRootAdmin(visitor, site)
  updateSiteDatabase(site, "delete from session where device in ('Safari, iOS', 'Firefox, Linux', 'Bilinmeyen cihaz')")
}

/** Opens a list of four sessions, last seen between now and weeks ago. */
async function openSessions(visitor: ChatPage, site: Site): Promise<Locator> {
  await enterWithOneSession(visitor, site)
  const insertSession = (device: string, platform: string, openedAgoMs: number, seenAgoMs: number) =>
    updateSiteDatabase(
      site,
      `insert into session (id, userId, platform, device, region, createdAt, lastSeenAt)
       select abs(random()) % 1000000000 + 1, id, '${platform}', '${device}', 'local',
         ${Date.now() - openedAgoMs}, ${Date.now() - seenAgoMs} from user where username = 'Zeynep'`,
    )
  const HOUR_MS = 3_600_000
  insertSession('Safari, iOS', 'mobile', 30 * HOUR_MS, 0.4 * HOUR_MS)
  insertSession('Firefox, Linux', 'web', 200 * HOUR_MS, 26 * HOUR_MS)
  insertSession('Bilinmeyen cihaz', 'web', 900 * HOUR_MS, 400 * HOUR_MS)
  await openSideMenuDialog(visitor, 'Oturumlarım')
  const window = visitor.page.getByRole('dialog', { name: 'Oturumlarım' })
  await window.getByText('Safari, iOS').waitFor()
  return window
}

/** The side menu, preferences and sessions of the own account. */
export const accountScreens: Screen[] = [
  {
    name: 'own-guest',
    signedInAs: 'guest',
    open: async (visitor) => {
      await enterRoomWhenListed(visitor)
      await visitor.openSideMenu()
    },
  },
  {
    name: 'own-rootadmin',
    signedInAs: 'rootAdmin',
    open: async (visitor, site) => {
      await enterAsRootAdmin(visitor, site)
      await visitor.openSideMenu()
    },
  },
  {
    name: 'own-member',
    open: async (visitor, site) => {
      const name = `Defne${++memberCount}`
      await visitor.enterAsMember(name)
      updateSiteDatabase(
        site,
        `update user set gender = 'female', city = 'İzmir',
         bio = 'Gündüz mimar, gece plak toplayıcısı. Kedim Pamuk ile birlikte Alsancak’ta yaşıyorum.'
         where username = '${name}'`,
      )
      await visitor.page.reload()
      await waitForUserList(visitor)
      await visitor.openSideMenu()
      await visitor.page.getByText('İzmir', { exact: true }).waitFor()
    },
  },
  {
    name: 'own-preferences-guest',
    signedInAs: 'guest',
    open: async (visitor) => {
      await enterRoomWhenListed(visitor)
      await openSideMenuDialog(visitor, 'Tercihlerim')
    },
  },
  {
    name: 'own-preferences-member',
    open: async (visitor) => {
      await visitor.enterAsMember(`Defne${++memberCount}`)
      await openSideMenuDialog(visitor, 'Tercihlerim')
      await visitor.page.getByRole('combobox', { name: 'Mesaj yazma' }).waitFor()
    },
  },
  {
    name: 'own-sessions',
    signedInAs: 'rootAdmin',
    open: async (visitor, site) => {
      await openSessions(visitor, site)
    },
  },
  {
    name: 'own-sessions-confirm',
    signedInAs: 'rootAdmin',
    open: async (visitor, site) => {
      const window = await openSessions(visitor, site)
      await window.getByRole('button', { name: 'Diğer tüm oturumları kapat' }).click()
      await window.getByText('Diğer 3 oturum hemen kapatılsın mı?').waitFor()
    },
  },
  {
    name: 'own-sessions-alone',
    signedInAs: 'rootAdmin',
    open: async (visitor, site) => {
      await enterWithOneSession(visitor, site)
      await openSideMenuDialog(visitor, 'Oturumlarım')
      await visitor.page.getByText('Başka oturum yok.').waitFor()
    },
  },
  {
    name: 'own-sessions-failed',
    signedInAs: 'rootAdmin',
    expectedError: /status of 503/,
    open: async (visitor, site) => {
      await enterAsRootAdmin(visitor, site)
      const answer = { success: false, code: 'Busy', message: '' }
      await visitor.page.route('**/api/users/sessions', (route) => route.fulfill({ status: 503, json: answer }))
      await openSideMenuDialog(visitor, 'Oturumlarım')
      await visitor.page.getByText('Oturumlar yüklenemedi.').waitFor()
      await visitor.page.unroute('**/api/users/sessions')
    },
  },
  {
    name: 'confirm-password',
    // Not a sign-in that another screen can start from: the browser has no admin token afterwards.
    expectedError: /status of 403/,
    open: async (visitor, site) => {
      await enterAsRootAdmin(visitor, site)
      const { page } = visitor
      await page.evaluate(() => localStorage.removeItem('adminToken'))
      await visitor.openSideMenu()
      await visitor.sideMenuEntry('Tüm Kullanıcılar').click()
      const dialog = page.getByRole('dialog', { name: 'Şifreni doğrula' })
      await dialog.getByLabel('Şifre', { exact: true }).fill('yanlış şifre')
      await dialog.getByRole('button', { name: 'Doğrula' }).click()
      await dialog.getByText('Mevcut şifren yanlış.').waitFor()
    },
  },
  {
    name: 'person-promote',
    signedInAs: 'rootAdmin',
    open: async (visitor, site) => {
      await enterAsRootAdmin(visitor, site)
      const password = await site.createRootAdmin('Tolga')
      updateSiteDatabase(site, "update user set role = 'member' where username = 'Tolga'")
      const { token } = await signIn(site.origin, 'Tolga', password)
      const { connection } = await LiveConnection.open(site.origin, token)
      expectAnswer(await connection.request('joinRoom', { roomId: 1 }))
      await openUserList(visitor)
      await visitor.page.locator('.person-username', { hasText: 'Tolga' }).first().click()
      await visitor.page.getByRole('button', { name: 'Diğer işlemler' }).click()
      await visitor.page.getByRole('menuitem', { name: 'Root Admin Yap' }).click()
      await visitor.page.getByRole('dialog', { name: 'Root Admin Yap' }).waitFor()
      connection.socket.close()
    },
  },
]
