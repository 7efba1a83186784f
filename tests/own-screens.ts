import type { Visitor } from './journeys/visitor.ts'
import { change, enterAsRootAdmin, enterLive, type Screen, waitForPeople } from './screen-steps.ts'

let members = 0

/** Opens something of the side menu. */
async function open(visitor: Visitor, entry: string): Promise<void> {
  await visitor.openSideMenu()
  await visitor.sideMenuEntry(entry).click()
  await visitor.page.getByRole('dialog', { name: entry }).waitFor()
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
]
