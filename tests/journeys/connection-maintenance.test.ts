import { describe, expect } from 'vitest'
import { createSiteRootAdmin, runAdminCommand } from '../drivers/site-process.ts'
import {
  CONNECTION_ERRORS,
  dispatchOnline,
  expectBlockingOverlay,
  expectDraftKept,
  uniqueName,
} from './connection-fixtures.ts'
import { journey } from './journey.ts'

/** A journey that switches maintenance on; it is off again afterwards, also after a failure. */
const maintenanceJourney = journey.extend<{ turn: (to: 'on' | 'off') => Promise<unknown> }>({
  turn: async ({ site }, use) => {
    const turn = (to: 'on' | 'off') => runAdminCommand(site, 'maintenance', to)
    await use(turn)
    await turn('off')
  },
})

describe('maintenance', () => {
  maintenanceJourney(
    '[MOD-18] [MOD-19] blocks everybody but root admins, who can sign in, and ends without a reload',
    async ({ site, turn, desktop }) => {
      const rootName = uniqueName('Yetkin')
      const password = await createSiteRootAdmin(site, rootName)
      const root = await (await desktop()).openRoomAs(rootName, password)
      const guest = await (await desktop()).openRoomAsGuest(uniqueName('Nergis'))
      const secondName = uniqueName('Yetkin')
      const secondPassword = await createSiteRootAdmin(site, secondName)
      const words = `Bakım sürüyor ${rootName}`
      const [stranger, second] = [await desktop(), await desktop()]
      for (const { errors } of [guest, stranger, second]) errors.allow(/status of 503/)

      await guest.composer.fill('bakımdan önce')
      await turn('on')
      await expectBlockingOverlay(guest, 'Meydan bakımda')
      expect(await root.page.getByRole('alertdialog').count()).toBe(0)
      await root.sendMessage(words)
      await root.waitForMessage(words)

      const answer = await stranger.page.goto('/room/1')
      expect(answer?.status()).toBe(503)
      await stranger.page.getByRole('heading', { name: 'Meydan bakımda' }).waitFor()
      await second.signIn(secondName, secondPassword, 'Yönetici misin?')

      await turn('off')
      await expectDraftKept(guest, 'bakımdan önce')
      await guest.waitForMessage(words)
      await guest.sendMessage(`geri geldim ${rootName}`)
      await root.waitForMessage(`Geri geldim ${rootName}`)
      await stranger.enterAsGuest(uniqueName('Yeni'))
    },
  )

  maintenanceJourney(
    '[MOD-18] [MOD-19] survives a restart, and waiting users continue where they were',
    async ({ site, turn, phone }) => {
      const guest = await (await phone()).openRoomAsGuest(uniqueName('Sümbül'))
      guest.errors.allow(CONNECTION_ERRORS)
      await guest.composer.focus()
      await guest.composer.fill('ikisinden önce')
      await turn('on')
      await expectBlockingOverlay(guest, 'Meydan bakımda')
      await site.signal('SIGTERM')
      await guest.page.getByRole('alertdialog').waitFor({ state: 'hidden' })
      await site.restart()
      await dispatchOnline(guest)
      await expectBlockingOverlay(guest, 'Meydan bakımda')
      await turn('off')
      await expectDraftKept(guest, 'ikisinden önce')
    },
  )
})
