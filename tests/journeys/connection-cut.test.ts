import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { describe, expect } from 'vitest'
import { granted, LiveLine, signIn } from '../live-line.ts'
import { makeRootAdmin, type Site } from '../site.ts'
import { BACK, CUT, cutLine, isTold, lineJourney, messagesOf, named, patiently, wake } from './connection.ts'
import { journey } from './journey.ts'
import type { Visitor } from './visitor.ts'

/** Kills the site and resolves when all these pages say that they noticed. */
async function kill(site: Site, ...visitors: Visitor[]): Promise<void> {
  await site.kill9()
  await Promise.all(visitors.map((visitor) => isTold(visitor, CUT)))
}

/** Starts the site again and tells the pages that the network is back, as a phone does: they try at once then. */
async function restart(site: Site, ...visitors: Visitor[]): Promise<void> {
  await site.restart()
  for (const visitor of visitors) await wake(visitor)
}

/** Somebody without a browser says all this in a room, and leaves. */
async function sayIn(site: Site, roomId: number, who: { talker: string; password: string }, words: string[]) {
  const { token } = await signIn(site.origin, who.talker, who.password)
  const { line } = await LiveLine.open(site.origin, token)
  granted(await line.ask('joinRoom', { roomId }))
  for (const content of words) granted(await line.ask('sendMessage', { roomId, content }))
  line.socket.close()
}

describe('a line that is cut', () => {
  journey(
    '[CHAT-17] what was typed meanwhile goes out once, when the site is back after kill -9',
    async ({ site, desktop }) => {
      const [writerName, readerName] = [named('Yazan'), named('Okuyan')]
      const writer = await (await desktop()).signIn(writerName, await makeRootAdmin(site, writerName))
      const reader = await (await desktop()).signIn(readerName, await makeRootAdmin(site, readerName))
      for (const { errors } of [writer, reader]) errors.expect(cutLine)
      const all = ['Önce', 'Kesikken bir', 'Kesikken iki'].map((words) => `${words} ${writerName}`)
      const [before, first, second] = all as [string, string, string]
      await writer.say(before)
      await reader.reads(before)

      await kill(site, writer, reader)
      await writer.say(first)
      await writer.say(second)
      await writer.bubble(second, 'pending').waitFor()
      expect(await reader.bubble(first).count()).toBe(0)

      await restart(site, writer, reader)
      for (const visitor of [writer, reader]) {
        await visitor.reads(second)
        expect((await visitor.thread()).slice(-3)).toEqual(all)
      }
      expect(messagesOf(site).slice(-3)).toEqual(all)
    },
  )

  lineJourney(
    '[LIVE-21] [CHAT-17] a message under way at a kill -9, kept and not answered, is there once',
    async ({ site, network, desktop }) => {
      const [name, other] = [named('Yarım'), named('Gören')]
      const writer = await (await desktop({ baseURL: network.url })).signIn(name, await makeRootAdmin(site, name))
      const reader = await (await desktop()).enterAsGuest(other)
      for (const { errors } of [writer, reader]) errors.expect(cutLine)
      const words = `Tam giderken ${name}`

      network.holdAnswers()
      await writer.say(words)
      await expect.poll(() => messagesOf(site), patiently).toContain(words)
      await writer.bubble(words, 'pending').waitFor()
      await site.kill9()
      network.cut()
      await isTold(writer, CUT)
      network.mend()
      await restart(site, writer, reader)
      for (const visitor of [writer, reader]) {
        await visitor.reads(words)
        expect((await visitor.thread()).filter((content) => content === words)).toHaveLength(1)
      }
      expect(messagesOf(site).filter((content) => content === words)).toHaveLength(1)
    },
  )

  journey('[CHAT-17] a page that is loaded anew meanwhile still sends it, once', async ({ site, desktop }) => {
    const name = named('Yenileyen')
    const writer = await (await desktop()).signIn(name, await makeRootAdmin(site, name))
    writer.errors.expect(cutLine)
    const { page } = writer
    // The socket is lost on the way, the pages are not.
    let isCut = true
    await page.context().routeWebSocket(/\/live$/, (socket) => {
      if (isCut) socket.close({ code: 4503 })
      else socket.connectToServer()
    })
    await page.reload()
    await writer.isInRoom()
    await writer.say(`Yenilenmeden önce ${name}`)
    await writer.bubble(`Yenilenmeden önce ${name}`, 'pending').waitFor()
    isCut = false
    await page.reload()
    await writer.reads(`Yenilenmeden önce ${name}`)
    expect(messagesOf(site).filter((content) => content === `Yenilenmeden önce ${name}`)).toHaveLength(1)
  })

  journey(
    '[LIVE-16] whoever was away for longer than the log remembers is shown the room as it is',
    async ({ site, desktop }) => {
      const [talkerName, awayName] = [named('Anlatan'), named('Uzaktaki')]
      const talker = await (await desktop()).signIn(talkerName, await makeRootAdmin(site, talkerName))
      const away = await (await desktop()).signIn(awayName, await makeRootAdmin(site, awayName))
      for (const { errors } of [talker, away]) errors.expect(cutLine)
      const all = ['Gitmeden', 'Yokken', 'Epeydir', 'Dönünce'].map((words) => `${words} ${awayName}`)
      const [before, gone, long, back] = all as [string, string, string, string]
      await talker.say(before)
      await away.reads(before)

      await away.page.context().setOffline(true)
      await kill(site, talker)
      await restart(site, talker)
      await talker.say(gone)
      await talker.say(long)
      await talker.reads(long)
      await kill(site, talker)
      const db = new Sqlite(join(site.dataFolder, 'meydan.db'))
      // As trimming leaves it: the last row stays, so that no number comes twice.
      db.prepare('delete from event where seq < (select max(seq) from event)').run()
      db.close()
      await restart(site, talker)
      await talker.say(back)

      // The browser itself tells the page of this.
      await away.page.context().setOffline(false)
      await away.reads(back)
      expect((await away.thread()).slice(-4)).toEqual(all)
    },
  )

  journey(
    '[ROOM-02] [ROOM-20] [CHAT-17] coming back leaves everything where it was, in the room where one was',
    async ({ site, desktop }) => {
      const name = named('Dönen')
      const visitor = await (await desktop()).enterAsGuest(name)
      visitor.errors.expect(cutLine)
      const { page, log, composer } = visitor
      const talker = named('Konuşkan')
      const password = await makeRootAdmin(site, talker)
      const words = Array.from({ length: 30 }, (_, count) => `Söz ${count} ${name}`)
      await page.getByRole('navigation').getByRole('link', { name: /Müzik/ }).click()
      await page.getByRole('heading', { name: '#Müzik' }).waitFor()
      await sayIn(site, 3, { talker, password }, words)
      await visitor.reads(words.at(-1) ?? '')
      await sayIn(site, 1, { talker, password }, ['Burada da bir şey var'])
      const mark = page.getByRole('navigation').getByRole('link', { name: /Meydan.*yeni mesajlar var/ })
      await mark.waitFor()
      await page.getByRole('button', { name: /^Odadaki kullanıcılar/ }).click()
      await page.getByRole('complementary').waitFor({ state: 'hidden' })
      await visitor.bubble(words[8] ?? '').evaluate((element) => element.scrollIntoView({ block: 'start' }))
      await composer.fill('yarım kalan')
      const place = () => visitor.bubble(words[8] ?? '').evaluate((element) => element.getBoundingClientRect().top)
      const before = await place()

      await kill(site, visitor)
      await site.restart()
      const meanwhile = [1, 2, 3].map((count) => `Yokken ${count} ${name}`)
      await sayIn(site, 3, { talker, password }, meanwhile)
      // It is said for a moment only.
      await Promise.all([isTold(visitor, BACK), wake(visitor)])

      await visitor.reads(meanwhile.at(-1) ?? '')
      expect((await visitor.thread()).slice(-4)).toEqual([words.at(-1), ...meanwhile])
      await page.getByRole('button', { name: '3 yeni mesaj' }).waitFor()
      expect(Math.abs((await place()) - before)).toBeLessThan(2)
      expect(await composer.inputValue()).toBe('yarım kalan')
      expect(await page.getByRole('complementary').count()).toBe(0)
      await mark.waitFor()
      expect(new URL(page.url()).pathname).toBe('/room/3')
      expect(await log.count()).toBe(1)
    },
  )
})
