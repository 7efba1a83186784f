// @module-tag deep
import { describe, expect } from 'vitest'
import { runAdminCommand } from '../drivers/site-process.ts'
import { CONNECTION_ERRORS, dispatchOnline, expectBlockingOverlay, expectDraftKept } from './connection-fixtures.ts'
import { processJourney } from './journey.ts'

const maintenanceJourney = processJourney.extend<{ turn: (to: 'on' | 'off') => Promise<unknown> }>({
  turn: ({ site }, use) => use((to) => runAdminCommand(site, 'maintenance', to)),
})

describe('maintenance', () => {
  maintenanceJourney(
    '[MOD-18] [MOD-19] blocks everybody but root admins, who can sign in, and ends without a reload',
    async ({ site, turn, desktop }) => {
      const root = await (await desktop()).openRoomAs('Yetkin', await site.createRootAdmin('Yetkin'))
      const guest = await (await desktop()).openRoomAsGuest('Nergis')
      const secondPassword = await site.createRootAdmin('Yardımcı')
      const [stranger, second] = [await desktop(), await desktop()]
      for (const { errors } of [guest, stranger, second]) errors.allow(/status of 503/)

      await guest.composer.fill('bakımdan önce')
      await turn('on')
      await expectBlockingOverlay(guest, 'Meydan bakımda')
      expect(await root.page.getByRole('alertdialog').count()).toBe(0)
      await root.sendMessage('Bakım sürüyor')
      await root.waitForMessage('Bakım sürüyor')

      const answer = await stranger.page.goto('/room/1')
      expect(answer?.status()).toBe(503)
      await stranger.page.getByRole('heading', { name: 'Meydan bakımda' }).waitFor()
      await second.signIn('Yardımcı', secondPassword, 'Yönetici misin?')

      await turn('off')
      await expectDraftKept(guest, 'bakımdan önce')
      await guest.waitForMessage('Bakım sürüyor')
      await guest.sendMessage('geri geldim')
      await root.waitForMessage('Geri geldim')
      await stranger.enterAsGuest('Yeni')
    },
  )

  maintenanceJourney(
    '[MOD-18] [MOD-19] survives a restart, and waiting users continue where they were',
    async ({ site, turn, phone }) => {
      const guest = await (await phone()).openRoomAsGuest('Sümbül')
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
