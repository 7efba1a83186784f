import { describe, expect } from 'vitest'
import { makeRootAdmin } from '../site.ts'
import { journey } from './journey.ts'
import { Visitor } from './visitor.ts'

/** Moves by the list of rooms, as people do at a desk. */
async function moveTo({ page }: Visitor, room: string): Promise<void> {
  await page
    .getByRole('navigation')
    .getByRole('link', { name: new RegExp(room) })
    .click()
  await page.getByRole('heading', { name: `#${room}` }).waitFor()
}

describe('moving between rooms', () => {
  journey('[ROOM-07] keeps the document and the socket, and leaves the room before', async ({ site, desktop }) => {
    const visitor = await desktop()
    const sockets: string[] = []
    visitor.page.on('websocket', (socket) => sockets.push(socket.url()))
    await visitor.signIn('Gezgin', await makeRootAdmin(site, 'Gezgin'))
    const host = await (await desktop()).signIn('Evdeki', await makeRootAdmin(site, 'Evdeki'))
    await host.sees('Evdeki', 'Gezgin')
    await visitor.page.evaluate(() => document.documentElement.setAttribute('data-marked', ''))

    await moveTo(visitor, 'Müzik')
    await host.sees('Evdeki')
    await visitor.sees('Gezgin')
    await visitor.say('burada müzik var')
    await visitor.reads('Burada müzik var')
    await host.say('burada sohbet var')
    await host.reads('Burada sohbet var')
    expect(await visitor.bubble('Burada sohbet var').count()).toBe(0)
    expect(await host.bubble('Burada müzik var').count()).toBe(0)

    await moveTo(visitor, 'Meydan')
    await visitor.reads('Burada sohbet var')
    await visitor.sees('Evdeki', 'Gezgin')
    await visitor.page.goBack()
    await visitor.page.getByRole('heading', { name: '#Müzik' }).waitFor()
    await visitor.reads('Burada müzik var')
    for (let round = 0; round < 5; round++) {
      await moveTo(visitor, 'Oyun')
      await moveTo(visitor, 'Müzik')
    }
    await visitor.reads('Burada müzik var')

    expect(await visitor.page.locator('html[data-marked]').count()).toBe(1)
    expect(sockets).toHaveLength(1)
  })

  journey('[ROOM-10] a room that is not there is said so in Turkish, with the way home', async ({ desktop }) => {
    const visitor = await (await desktop()).enterAsGuest('Kaybolan')
    visitor.errors.expect(/status of 404/)
    for (const path of ['/room/999', '/room/0', '/room/abc', '/nerede']) {
      const response = await visitor.page.goto(path)
      expect(response?.status()).toBe(404)
      await visitor.page.getByRole('heading', { name: 'Sayfa bulunamadı' }).waitFor()
    }
    await visitor.page.getByRole('main').getByRole('link').first().click()
    await visitor.page.waitForURL('/')
  })
})

describe('after logging out', () => {
  journey('[ACC-13] [HTTP-03] the back button shows nothing of what was there', async ({ site, desktop }) => {
    const visitor = await (await desktop()).signIn('Çıkan', await makeRootAdmin(site, 'Çıkan'))
    const { page } = visitor
    await visitor.say('gizli kalsın')
    await visitor.reads('Gizli kalsın')
    await visitor.logOut()
    await page.waitForURL('/')
    expect(await page.evaluate(() => Object.keys(localStorage).sort())).toEqual(['browserId', 'lastRoomId', 'theme'])
    expect((await page.context().cookies()).map(({ name }) => name)).not.toContain('session')

    await page.goBack()
    await visitor.nameField.waitFor()
    expect(new URL(page.url()).pathname).toBe('/')
    expect(await page.getByText('Gizli kalsın').count()).toBe(0)
  })

  journey('[ACC-13] another tab of the same person goes home by itself', async ({ site, desktop, visitors }) => {
    const visitor = await (await desktop()).signIn('Çiftsekme', await makeRootAdmin(site, 'Çiftsekme'))
    const other = new Visitor(await visitor.page.context().newPage())
    visitors.push(other)
    await other.page.goto('/room/1')
    await other.page.getByRole('alertdialog', { name: 'Meydan başka bir yerde açık' }).waitFor()
    await visitor.logOut()
    await other.nameField.waitFor()
    expect(new URL(other.page.url()).pathname).toBe('/')
  })
})
