import type { Visitor } from './journeys/visitor.ts'
import { enterAsRootAdmin, enterLive, type Screen } from './screen-steps.ts'

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
    name: 'own-preferences-guest',
    show: async (visitor) => {
      await enterLive(visitor)
      await open(visitor, 'Tercihlerim')
    },
  },
]
