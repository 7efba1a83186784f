import type { Locator } from 'playwright-core'
import type { Visitor } from './journeys/visitor.ts'
import { granted, LiveLine, signIn } from './live-line.ts'
import { change, enterAsRootAdmin, enterLive, openPeople, type Screen, waitForPeople } from './screen-steps.ts'
import { makeRootAdmin, type Site } from './site.ts'

let members = 0

/** Opens something of the side menu. */
async function open(visitor: Visitor, entry: string): Promise<void> {
  await visitor.openSideMenu()
  await visitor.sideMenuEntry(entry).click()
  await visitor.page.getByRole('dialog', { name: entry }).waitFor()
}

/** Opens the list of sessions of somebody who has been around: one there now, one of an hour ago, one of long ago. */
async function openSessions(visitor: Visitor, site: Site): Promise<Locator> {
  await enterAsRootAdmin(visitor, site)
  const add = (device: string, platform: string, openedAgo: number, seenAgo: number) =>
    change(
      site,
      `insert into session (id, userId, platform, device, region, createdAt, lastSeenAt)
       select abs(random()) % 1000000000 + 1, id, '${platform}', '${device}', 'local',
         ${Date.now() - openedAgo}, ${Date.now() - seenAgo} from user where username = 'Zeynep'`,
    )
  const HOUR_MS = 3_600_000
  add('Safari, iOS', 'mobile', 30 * HOUR_MS, 0.4 * HOUR_MS)
  add('Firefox, Linux', 'web', 200 * HOUR_MS, 26 * HOUR_MS)
  add('Bilinmeyen cihaz', 'web', 900 * HOUR_MS, 400 * HOUR_MS)
  await open(visitor, 'Oturumlarım')
  const window = visitor.page.getByRole('dialog', { name: 'Oturumlarım' })
  await window.getByText('Safari, iOS').waitFor()
  return window
}

/** What people get to see of themselves. */
export const own: Screen[] = [
  {
    name: 'own-guest',
    show: async (visitor) => {
      await enterLive(visitor)
      await visitor.openSideMenu()
    },
  },
  {
    name: 'own-rootadmin',
    show: async (visitor, site) => {
      await enterAsRootAdmin(visitor, site)
      await visitor.openSideMenu()
    },
  },
  {
    name: 'own-member',
    show: async (visitor, site) => {
      const name = `Defne${++members}`
      await visitor.enterAsMember(name)
      change(
        site,
        `update user set gender = 'female', city = 'İzmir',
         bio = 'Gündüz mimar, gece plak toplayıcısı. Kedim Pamuk ile birlikte Alsancak’ta yaşıyorum.'
         where username = '${name}'`,
      )
      await visitor.page.reload()
      await waitForPeople(visitor)
      await visitor.openSideMenu()
      await visitor.page.getByText('İzmir', { exact: true }).waitFor()
    },
  },
  {
    name: 'own-preferences-guest',
    show: async (visitor) => {
      await enterLive(visitor)
      await open(visitor, 'Tercihlerim')
    },
  },
  {
    name: 'own-preferences-member',
    show: async (visitor) => {
      await visitor.enterAsMember(`Defne${++members}`)
      await open(visitor, 'Tercihlerim')
      await visitor.page.getByRole('combobox', { name: 'Mesaj yazma' }).waitFor()
    },
  },
  {
    name: 'own-sessions',
    show: async (visitor, site) => {
      await openSessions(visitor, site)
    },
  },
  {
    name: 'own-sessions-asked',
    show: async (visitor, site) => {
      const window = await openSessions(visitor, site)
      await window.getByRole('button', { name: 'Diğer tüm oturumları kapat' }).click()
      await window.getByText('Diğer 3 oturum hemen kapatılsın mı?').waitFor()
    },
  },
  {
    name: 'own-sessions-alone',
    show: async (visitor, site) => {
      await enterAsRootAdmin(visitor, site)
      await open(visitor, 'Oturumlarım')
      await visitor.page.getByText('Başka oturum yok.').waitFor()
    },
  },
  {
    name: 'own-sessions-failed',
    complaint: /status of 503/,
    show: async (visitor, site) => {
      await enterAsRootAdmin(visitor, site)
      const answer = { success: false, code: 'Busy', message: '' }
      await visitor.page.route('**/api/users/sessions', (route) => route.fulfill({ status: 503, json: answer }))
      await open(visitor, 'Oturumlarım')
      await visitor.page.getByText('Oturumlar yüklenemedi.').waitFor()
    },
  },
  {
    name: 'person-promote',
    show: async (visitor, site) => {
      await enterAsRootAdmin(visitor, site)
      const password = await makeRootAdmin(site, 'Tolga')
      change(site, "update user set role = 'member' where username = 'Tolga'")
      const { token } = await signIn(site.origin, 'Tolga', password)
      const { line } = await LiveLine.open(site.origin, token)
      granted(await line.ask('joinRoom', { roomId: 1 }))
      await openPeople(visitor)
      await visitor.page.locator('.person-username', { hasText: 'Tolga' }).first().click()
      await visitor.page.getByRole('button', { name: 'Diğer işlemler' }).click()
      await visitor.page.getByRole('menuitem', { name: 'Root Admin Yap' }).click()
      await visitor.page.getByRole('dialog', { name: 'Root Admin Yap' }).waitFor()
      line.socket.close()
    },
  },
]
