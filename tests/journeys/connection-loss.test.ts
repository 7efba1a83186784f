import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { describe, expect } from 'vitest'
import { expectAnswer, LiveConnection, signIn } from '../drivers/live-connection.ts'
import { createSiteRootAdmin, type SiteProcess } from '../drivers/site-process.ts'
import type { ChatPage } from './chat-page.ts'
import {
  CONNECTION_ERRORS,
  CONNECTION_LOST_TEXT,
  CONNECTION_RESTORED_TEXT,
  dispatchOnline,
  networkJourney,
  readMessageContents,
  uniqueName,
  waitForStatus,
} from './connection-fixtures.ts'
import { journey } from './journey.ts'

/** Kills the site and resolves when all these pages show the loss. */
async function killSite(site: SiteProcess, ...visitors: ChatPage[]): Promise<void> {
  await site.kill9()
  await Promise.all(visitors.map((visitor) => waitForStatus(visitor, CONNECTION_LOST_TEXT)))
}

/** Starts the site and fires `online` in the pages, so that they reconnect at once. */
async function restartSite(site: SiteProcess, ...visitors: ChatPage[]): Promise<void> {
  await site.restart()
  for (const visitor of visitors) await dispatchOnline(visitor)
}

/** Sends these messages from a client without a browser, which then leaves. */
async function sendMessagesIn(
  site: SiteProcess,
  roomId: number,
  who: { talker: string; password: string },
  words: string[],
) {
  const { token } = await signIn(site.origin, who.talker, who.password)
  const { connection } = await LiveConnection.open(site.origin, token)
  expectAnswer(await connection.request('joinRoom', { roomId }))
  for (const content of words) expectAnswer(await connection.request('sendMessage', { roomId, content }))
  connection.socket.close()
}

describe('a lost connection', () => {
  journey(
    '[CHAT-17] sends what was typed meanwhile once, when the site is back after kill -9',
    async ({ site, desktop }) => {
      const [writerName, readerName] = [uniqueName('Yazan'), uniqueName('Okuyan')]
      const writer = await (await desktop()).openRoomAs(writerName, await createSiteRootAdmin(site, writerName))
      const reader = await (await desktop()).openRoomAs(readerName, await createSiteRootAdmin(site, readerName))
      for (const { errors } of [writer, reader]) errors.allow(CONNECTION_ERRORS)
      const all = ['Önce', 'Kesikken bir', 'Kesikken iki'].map((words) => `${words} ${writerName}`)
      const [before, first, second] = all as [string, string, string]
      await writer.sendMessage(before)
      await reader.waitForMessage(before)

      await killSite(site, writer, reader)
      await writer.sendMessage(first)
      await writer.sendMessage(second)
      await writer.bubble(second, 'pending').waitFor()
      expect(await reader.bubble(first).count()).toBe(0)

      await restartSite(site, writer, reader)
      for (const visitor of [writer, reader]) {
        await visitor.waitForMessage(second)
        expect((await visitor.messageTexts()).slice(-3)).toEqual(all)
      }
      expect(readMessageContents(site).slice(-3)).toEqual(all)
    },
  )

  networkJourney(
    '[LIVE-21] [CHAT-17] delivers a message once that was stored and not answered at a kill -9',
    async ({ site, network, desktop }) => {
      const [name, other] = [uniqueName('Yarım'), uniqueName('Gören')]
      const writer = await (await desktop({ baseURL: network.url })).openRoomAs(
        name,
        await createSiteRootAdmin(site, name),
      )
      const reader = await (await desktop()).openRoomAsGuest(other)
      for (const { errors } of [writer, reader]) errors.allow(CONNECTION_ERRORS)
      const words = `Tam giderken ${name}`

      network.stallResponses()
      await writer.sendMessage(words)
      await expect.poll(() => readMessageContents(site)).toContain(words)
      await writer.bubble(words, 'pending').waitFor()
      await site.kill9()
      network.refuseConnections()
      await waitForStatus(writer, CONNECTION_LOST_TEXT)
      network.restore()
      await restartSite(site, writer, reader)
      for (const visitor of [writer, reader]) {
        await visitor.waitForMessage(words)
        expect((await visitor.messageTexts()).filter((content) => content === words)).toHaveLength(1)
      }
      expect(readMessageContents(site).filter((content) => content === words)).toHaveLength(1)
    },
  )

  journey('[CHAT-17] still sends it once after a reload of the page', async ({ site, desktop }) => {
    const name = uniqueName('Yenileyen')
    const writer = await (await desktop()).openRoomAs(name, await createSiteRootAdmin(site, name))
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
    await writer.sendMessage(`Yenilenmeden önce ${name}`)
    await writer.bubble(`Yenilenmeden önce ${name}`, 'pending').waitFor()
    isCut = false
    await page.reload()
    await writer.waitForMessage(`Yenilenmeden önce ${name}`)
    expect(readMessageContents(site).filter((content) => content === `Yenilenmeden önce ${name}`)).toHaveLength(1)
  })

  journey(
    '[LIVE-16] shows the current room to a client that missed more than the log covers',
    async ({ site, desktop }) => {
      const [talkerName, awayName] = [uniqueName('Anlatan'), uniqueName('Uzaktaki')]
      const talker = await (await desktop()).openRoomAs(talkerName, await createSiteRootAdmin(site, talkerName))
      const away = await (await desktop()).openRoomAs(awayName, await createSiteRootAdmin(site, awayName))
      for (const { errors } of [talker, away]) errors.allow(CONNECTION_ERRORS)
      const all = ['Gitmeden', 'Yokken', 'Epeydir', 'Dönünce'].map((words) => `${words} ${awayName}`)
      const [before, gone, long, back] = all as [string, string, string, string]
      await talker.sendMessage(before)
      await away.waitForMessage(before)

      await away.page.context().setOffline(true)
      await killSite(site, talker)
      await restartSite(site, talker)
      await talker.sendMessage(gone)
      await talker.sendMessage(long)
      await talker.waitForMessage(long)
      await killSite(site, talker)
      const db = new Sqlite(join(site.dataFolder, 'meydan.db'))
      // Trimming keeps the last row, so that no `seq` repeats.
      db.prepare('delete from event where seq < (select max(seq) from event)').run()
      db.close()
      await restartSite(site, talker)
      await talker.sendMessage(back)

      // The browser fires this event itself.
      await away.page.context().setOffline(false)
      await away.waitForMessage(back)
      expect((await away.messageTexts()).slice(-4)).toEqual(all)
    },
  )

  journey(
    '[ROOM-02] [ROOM-20] [CHAT-17] restores room, scroll position and draft on reconnect',
    async ({ site, desktop }) => {
      const name = uniqueName('Dönen')
      const visitor = await (await desktop()).openRoomAsGuest(name)
      visitor.errors.allow(CONNECTION_ERRORS)
      const { page, messageLog, composer } = visitor
      const talker = uniqueName('Konuşkan')
      const password = await createSiteRootAdmin(site, talker)
      const words = Array.from({ length: 30 }, (_, count) => `Söz ${count} ${name}`)
      await page.getByRole('navigation').getByRole('link', { name: /Müzik/ }).click()
      await page.getByRole('heading', { name: '#Müzik' }).waitFor()
      await sendMessagesIn(site, 3, { talker, password }, words)
      await visitor.waitForMessage(words.at(-1) ?? '')
      await sendMessagesIn(site, 1, { talker, password }, ['Burada da bir şey var'])
      const mark = page.getByRole('navigation').getByRole('link', { name: /Meydan.*yeni mesajlar var/ })
      await mark.waitFor()
      await page.getByRole('button', { name: /^Odadaki kullanıcılar/ }).click()
      await page.getByRole('complementary').waitFor({ state: 'hidden' })
      await visitor.bubble(words[8] ?? '').evaluate((element) => element.scrollIntoView({ block: 'start' }))
      await composer.fill('yarım kalan')
      const place = () => visitor.bubble(words[8] ?? '').evaluate((element) => element.getBoundingClientRect().top)
      const before = await place()

      await killSite(site, visitor)
      await site.restart()
      const meanwhile = [1, 2, 3].map((count) => `Yokken ${count} ${name}`)
      await sendMessagesIn(site, 3, { talker, password }, meanwhile)
      // The text shows only briefly.
      await Promise.all([waitForStatus(visitor, CONNECTION_RESTORED_TEXT), dispatchOnline(visitor)])

      await visitor.waitForMessage(meanwhile.at(-1) ?? '')
      expect((await visitor.messageTexts()).slice(-4)).toEqual([words.at(-1), ...meanwhile])
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
