import { refusals } from '../../src/shared/protocol/refusals.ts'
import { updateSiteDatabase } from '../drivers/site.ts'
import {
  blockConnection,
  enterRoomAsGuest,
  enterRoomWhenListed,
  interceptConnection,
  type Screen,
} from './screen-steps.ts'

/** States of the connection and of the site, and pages that do not exist. */
export const connectionScreens: Screen[] = [
  {
    name: 'room-reconnecting',
    expectedError: /WebSocket/,
    open: async (visitor) => {
      await blockConnection(visitor)
      await enterRoomAsGuest(visitor)
      await visitor.page.getByText('Sunucuya bağlanılıyor...').waitFor()
    },
  },
  {
    name: 'room-unreachable',
    expectedError: /WebSocket/,
    open: async (visitor) => {
      await blockConnection(visitor)
      await visitor.page.clock.install()
      await enterRoomAsGuest(visitor)
      const dialog = visitor.page.getByRole('alertdialog', { name: 'Sunucuya ulaşılamıyor' })
      while (!(await dialog.isVisible())) await visitor.page.clock.fastForward(3_000)
    },
  },
  {
    name: 'room-duplicate',
    open: async (visitor) => {
      await enterRoomWhenListed(visitor)
      const other = await visitor.page.context().newPage()
      await other.goto(visitor.page.url())
      await other.getByRole('log').waitFor()
      await visitor.page.reload()
      await visitor.page.getByRole('alertdialog', { name: 'Meydan başka bir yerde açık' }).waitFor()
    },
  },
  {
    name: 'room-maintenance',
    open: async (visitor) => {
      // Only this browser receives the event; the site stays open.
      const sendEvent = await interceptConnection(visitor)
      await enterRoomWhenListed(visitor)
      sendEvent('serverMaintenance', { isOn: true, message: refusals.Maintenance.message })
      await visitor.page.getByRole('alertdialog', { name: 'Meydan bakımda' }).waitFor()
    },
  },
  {
    name: 'maintenance',
    signedInAs: 'nobody',
    expectedError: /status of 503/,
    open: async ({ page }, site) => {
      updateSiteDatabase(site, 'update siteState set maintenanceSince = 1')
      await page.goto('/')
      await page.getByRole('heading', { name: 'Meydan bakımda' }).waitFor()
      updateSiteDatabase(site, 'update siteState set maintenanceSince = null')
    },
  },
  {
    name: 'not-found',
    signedInAs: 'nobody',
    expectedError: /status of 404/,
    open: async ({ page }) => {
      await page.goto('/olmayan')
      await page.getByText('Sayfa bulunamadı').waitFor()
    },
  },
]
