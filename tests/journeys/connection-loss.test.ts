// @module-tag deep
import { describe, expect } from 'vitest'
import { LiveConnection } from '../drivers/live-connection.ts'
import type { LiveUser } from '../drivers/live-user.ts'
import type { Site } from '../drivers/site.ts'
import type { SiteProcess } from '../drivers/site-process.ts'
import type { ChatPage } from './chat-page.ts'
import {
  CONNECTION_ERRORS,
  CONNECTION_LOST_TEXT,
  CONNECTION_RESTORED_TEXT,
  dispatchOnline,
  heardOn,
  networkProcessJourney,
  readMessageContents,
  waitForStatus,
} from './connection-fixtures.ts'
import { journey, processJourney } from './journey.ts'

/** Kills the site and resolves when the page shows the loss. */
async function killSite(site: SiteProcess, visitor: ChatPage): Promise<void> {
  await site.kill9()
  await waitForStatus(visitor, CONNECTION_LOST_TEXT)
}

/** Connects a user again who was in room 1, from the last event that was received, as a page does. */
async function resume({ origin }: Site, { signedIn, connection: lost }: LiveUser): Promise<LiveConnection> {
  const { connection } = await LiveConnection.open(origin, signedIn.token, { cursor: lost.cursor, roomId: 1 })
  return connection
}

describe('a lost connection', () => {
  processJourney(
    '[CHAT-17] sends what was typed meanwhile once, when the site is back after kill -9',
    async ({ site, desktop, speaker }) => {
      const writer = await (await desktop()).openRoomAsGuest('Yazan')
      writer.errors.allow(CONNECTION_ERRORS)
      const reader = await speaker('Okuyan')
      await writer.sendMessage('Önce')
      await reader.waitForMessage('Önce')

      await killSite(site, writer)
      await writer.sendMessage('Kesikken bir')
      await writer.sendMessage('Kesikken iki')
      await writer.bubble('Kesikken iki', 'pending').waitFor()
      expect(heardOn(reader.connection)).toEqual(['Önce'])

      await site.restart()
      const resumed = await resume(site, reader)
      await dispatchOnline(writer)
      await writer.waitForMessage('Kesikken iki')
      await resumed.waitFor(() => heardOn(resumed).includes('Kesikken iki'))
      expect(heardOn(resumed)).toEqual(['Kesikken bir', 'Kesikken iki'])
      const all = ['Önce', 'Kesikken bir', 'Kesikken iki']
      expect(await writer.messageTexts()).toEqual(all)
      expect(readMessageContents(site)).toEqual(all)
    },
  )

  networkProcessJourney(
    '[LIVE-21] [CHAT-17] delivers a message once that was stored and not answered at a kill -9',
    async ({ site, network, desktop, speaker }) => {
      const writer = await (await desktop({ baseURL: network.url })).openRoomAsGuest('Yarım')
      writer.errors.allow(CONNECTION_ERRORS)
      const reader = await speaker('Gören')

      network.stallResponses()
      await writer.sendMessage('Tam giderken')
      await reader.waitForMessage('Tam giderken')
      await writer.bubble('Tam giderken', 'pending').waitFor()
      await site.kill9()
      network.refuseConnections()
      await waitForStatus(writer, CONNECTION_LOST_TEXT)
      network.restore()
      await site.restart()
      const resumed = await resume(site, reader)
      await dispatchOnline(writer)
      await writer.waitForMessage('Tam giderken')
      await writer.sendMessage('Sonra')
      await resumed.waitFor(() => heardOn(resumed).includes('Sonra'))
      expect(heardOn(resumed)).toEqual(['Sonra'])
      expect(heardOn(reader.connection)).toEqual(['Tam giderken'])
      await writer.waitForMessage('Sonra')
      expect(await writer.messageTexts()).toEqual(['Tam giderken', 'Sonra'])
      expect(readMessageContents(site)).toEqual(['Tam giderken', 'Sonra'])
    },
  )

  journey('[CHAT-17] still sends it once after a reload of the page', async ({ site, desktop }) => {
    // Others wait until they have joined the room.
    const writer = await (await desktop()).openRoomAs('Yenileyen', await site.createRootAdmin('Yenileyen'))
    writer.errors.allow(CONNECTION_ERRORS)
    const { page } = writer
    // Only the socket is blocked, not the pages.
    let isCut = true
    await page.context().routeWebSocket(/\/live$/, (socket) => {
      if (isCut) socket.close({ code: 4503 })
      else socket.connectToServer()
    })
    await page.reload()
    await writer.waitForRoom()
    await writer.sendMessage('Yenilenmeden önce')
    await writer.bubble('Yenilenmeden önce', 'pending').waitFor()
    isCut = false
    await page.reload()
    await writer.waitForMessage('Yenilenmeden önce')
    expect(readMessageContents(site)).toEqual(['Yenilenmeden önce'])
  })

  processJourney(
    '[LIVE-16] shows the current room to a client that missed more than the log covers',
    async ({ site, desktop, speaker }) => {
      const away = await (await desktop()).openRoomAsGuest('Uzaktaki')
      away.errors.allow(CONNECTION_ERRORS)
      await (await speaker('Ada')).sendMessage('Gitmeden')
      await away.waitForMessage('Gitmeden')

      await away.page.context().setOffline(true)
      await site.kill9()
      await site.restart()
      const talker = await speaker('Can')
      await talker.sendMessage('Yokken')
      await talker.sendMessage('Epeydir')
      await site.kill9()
      // Trimming keeps the last row, so that no `seq` repeats.
      site.changeDatabase((db) => db.exec('delete from event where seq < (select max(seq) from event)'))
      await site.restart()
      await (await speaker('Ece')).sendMessage('Dönünce')

      // The browser fires this event itself.
      await away.page.context().setOffline(false)
      await away.waitForMessage('Dönünce')
      expect(await away.messageTexts()).toEqual(['Gitmeden', 'Yokken', 'Epeydir', 'Dönünce'])
    },
  )

  processJourney(
    '[ROOM-02] [ROOM-20] [CHAT-17] restores room, scroll position and draft on reconnect',
    async ({ site, desktop, speaker }) => {
      const visitor = await (await desktop()).openRoomAsGuest('Dönen')
      visitor.errors.allow(CONNECTION_ERRORS)
      const { page, messageLog, composer } = visitor
      const talker = await speaker('Konuşkan', { role: 'rootAdmin', roomId: 3 })
      await page.getByRole('navigation').getByRole('link', { name: /Müzik/ }).click()
      await page.getByRole('heading', { name: '#Müzik' }).waitFor()
      for (let count = 0; count < 30; count++) await talker.sendMessage(`Söz ${count}`)
      await visitor.waitForMessage('Söz 29')
      await (await speaker('Komşu')).sendMessage('Burada da bir şey var')
      const mark = page.getByRole('navigation').getByRole('link', { name: /Meydan.*yeni mesajlar var/ })
      await mark.waitFor()
      await page.getByRole('button', { name: /^Odadaki kullanıcılar/ }).click()
      await page.getByRole('complementary').waitFor({ state: 'hidden' })
      await visitor.bubble('Söz 8').evaluate((element) => element.scrollIntoView({ block: 'start' }))
      await composer.fill('yarım kalan')
      const place = () => visitor.bubble('Söz 8').evaluate((element) => element.getBoundingClientRect().top)
      const before = await place()

      await killSite(site, visitor)
      await site.restart()
      const meanwhile = ['Yokken bir', 'Yokken iki', 'Yokken üç']
      const newcomer = await speaker('Gelen', { roomId: 3 })
      for (const words of meanwhile) await newcomer.sendMessage(words)
      // The text shows only briefly.
      await Promise.all([waitForStatus(visitor, CONNECTION_RESTORED_TEXT), dispatchOnline(visitor)])

      await visitor.waitForMessage('Yokken üç')
      expect((await visitor.messageTexts()).slice(-4)).toEqual(['Söz 29', ...meanwhile])
      await page.getByRole('button', { name: '3 yeni mesaj' }).waitFor()
      expect(Math.abs((await place()) - before)).toBeLessThan(2)
      expect(await composer.inputValue()).toBe('yarım kalan')
      expect(await page.getByRole('complementary').count()).toBe(0)
      await mark.waitFor()
      expect(new URL(page.url()).pathname).toBe('/room/3')
      expect(await messageLog.count()).toBe(1)
    },
  )
})
