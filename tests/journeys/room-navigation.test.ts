// @module-tag deep
import { describe, expect } from 'vitest'
import { ChatPage } from './chat-page.ts'
import { journey } from './journey.ts'

/** Opens a room from the list beside the thread, which desktops show. */
async function navigateToRoom({ page }: ChatPage, room: string): Promise<void> {
  await page
    .getByRole('navigation')
    .getByRole('link', { name: new RegExp(room) })
    .click()
  await page.getByRole('heading', { name: `#${room}` }).waitFor()
}

describe('moving between rooms', () => {
  journey(
    '[ROOM-07] keeps the document and the WebSocket, and leaves the previous room',
    async ({ desktop, speaker }) => {
      const visitor = await desktop()
      const sockets: string[] = []
      visitor.page.on('websocket', (socket) => sockets.push(socket.url()))
      await visitor.openRoomAsGuest('Gezgin')
      const host = await speaker('Evdeki', { role: 'rootAdmin' })
      const usersHere = async () =>
        (await host.request('getRoomUsers', { roomId: 1 })).users.map((user) => user.username)
      await expect.poll(usersHere).toEqual(['Evdeki', 'Gezgin'])
      await visitor.page.evaluate(() => document.documentElement.setAttribute('data-marked', ''))

      await navigateToRoom(visitor, 'Müzik')
      await expect.poll(usersHere).toEqual(['Evdeki'])
      await visitor.waitForUsers('Gezgin')
      await host.sendMessage('burada sohbet var')
      await visitor.sendMessage('burada müzik var')
      await visitor.waitForMessage('Burada müzik var')
      expect(await visitor.bubble('Burada sohbet var').count()).toBe(0)

      await navigateToRoom(visitor, 'Meydan')
      await visitor.waitForMessage('Burada sohbet var')
      await visitor.waitForUsers('Evdeki', 'Gezgin')
      await visitor.page.goBack()
      await visitor.page.getByRole('heading', { name: '#Müzik' }).waitFor()
      await visitor.waitForMessage('Burada müzik var')
      for (let round = 0; round < 5; round++) {
        await navigateToRoom(visitor, 'Oyun')
        await navigateToRoom(visitor, 'Müzik')
      }
      await visitor.waitForMessage('Burada müzik var')

      expect(await visitor.page.locator('html[data-marked]').count()).toBe(1)
      expect(sockets).toHaveLength(1)
      expect(host.connection.receivedEvents('message').map(({ content }) => content)).toEqual(['Burada sohbet var'])
    },
  )

  journey(
    '[ROOM-10] shows a Turkish 404 page with a link to the landing page for an unknown room',
    async ({ desktop }) => {
      const visitor = await (await desktop()).openRoomAsGuest('Kaybolan')
      visitor.errors.allow(/status of 404/)
      for (const path of ['/room/999', '/room/0', '/room/abc', '/nerede']) {
        const response = await visitor.page.goto(path)
        expect(response?.status()).toBe(404)
        await visitor.page.getByRole('heading', { name: 'Sayfa bulunamadı' }).waitFor()
      }
      await visitor.page.getByRole('main').getByRole('link').first().click()
      await visitor.page.waitForURL('/')
    },
  )
})

describe('after logging out', () => {
  journey('[ACC-13] [HTTP-03] the back button shows no message of the room', async ({ site, desktop }) => {
    const visitor = await (await desktop()).openRoomAs('Çıkan', await site.createRootAdmin('Çıkan'))
    const { page } = visitor
    await visitor.sendMessage('gizli kalsın')
    await visitor.waitForMessage('Gizli kalsın')
    await visitor.logOut()
    await page.waitForURL('/')
    expect(await page.evaluate(() => Object.keys(localStorage).sort())).toEqual(['browserId', 'lastRoomId', 'theme'])
    expect((await page.context().cookies()).map(({ name }) => name)).not.toContain('session')

    await page.goBack()
    await visitor.nameField.waitFor()
    expect(await visitor.composer.count()).toBe(0)
    expect(await page.getByText('Gizli kalsın').count()).toBe(0)
  })

  journey('[ACC-13] another tab of the same user goes to the landing page', async ({ site, desktop, visitors }) => {
    const visitor = await (await desktop()).openRoomAs('Çiftsekme', await site.createRootAdmin('Çiftsekme'))
    const other = new ChatPage(await visitor.page.context().newPage())
    visitors.push(other)
    await other.page.goto('/room/1')
    await other.page.getByRole('alertdialog', { name: 'Meydan başka bir yerde açık' }).waitFor()
    await visitor.logOut()
    await other.nameField.waitFor()
    expect(new URL(other.page.url()).pathname).toBe('/')
  })
})
