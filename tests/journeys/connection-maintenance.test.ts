import { describe, expect } from 'vitest'
import { makeRootAdmin, runAdmin } from '../site.ts'
import { cutLine, isHeldBy, named, wake, writesOn } from './connection.ts'
import { journey } from './journey.ts'

/** A story in which the site is switched to maintenance; whatever becomes of it, the switch is off again after it. */
const maintenanceJourney = journey.extend<{ turn: (to: 'on' | 'off') => Promise<unknown> }>({
  turn: async ({ site }, use) => {
    const turn = (to: 'on' | 'off') => runAdmin(site, 'maintenance', to)
    await use(turn)
    await turn('off')
  },
})

describe('maintenance', () => {
  maintenanceJourney(
    '[MOD-18] [MOD-19] keeps everybody waiting but root admins, who sign in meanwhile, and goes by as it came',
    async ({ site, turn, desktop }) => {
      const rootName = named('Yetkin')
      const password = await makeRootAdmin(site, rootName)
      const root = await (await desktop()).signIn(rootName, password)
      const guest = await (await desktop()).enterAsGuest(named('Nergis'))
      const secondName = named('Yetkin')
      const secondPassword = await makeRootAdmin(site, secondName)
      const words = `Bakım sürüyor ${rootName}`
      const [stranger, second] = [await desktop(), await desktop()]
      for (const { errors } of [guest, stranger, second]) errors.expect(/status of 503/)

      await guest.composer.fill('bakımdan önce')
      await turn('on')
      await isHeldBy(guest, 'Meydan bakımda')
      expect(await root.page.getByRole('alertdialog').count()).toBe(0)
      await root.say(words)
      await root.reads(words)

      const answer = await stranger.page.goto('/room/1')
      expect(answer?.status()).toBe(503)
      await stranger.page.getByRole('heading', { name: 'Meydan bakımda' }).waitFor()
      await second.signIn(secondName, secondPassword, 'Yönetici misin?')

      await turn('off')
      await writesOn(guest, 'bakımdan önce')
      await guest.reads(words)
      await guest.say(`geri geldim ${rootName}`)
      await root.reads(`Geri geldim ${rootName}`)
      await stranger.enterAsGuest(named('Yeni'))
    },
  )

  maintenanceJourney(
    '[MOD-18] [MOD-19] goes on over a restart, and whoever waited through both goes on where they were',
    async ({ site, turn, phone }) => {
      const guest = await (await phone()).enterAsGuest(named('Sümbül'))
      guest.errors.expect(cutLine)
      await guest.composer.focus()
      await guest.composer.fill('ikisinden önce')
      await turn('on')
      await isHeldBy(guest, 'Meydan bakımda')
      await site.signal('SIGTERM')
      await guest.page.getByRole('alertdialog').waitFor({ state: 'hidden' })
      await site.restart()
      await wake(guest)
      await isHeldBy(guest, 'Meydan bakımda')
      await turn('off')
      await writesOn(guest, 'ikisinden önce')
    },
  )
})
