import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { describe, expect } from 'vitest'
import { makeRootAdmin, type Site } from '../site.ts'
import { journey } from './journey.ts'
import type { Visitor } from './visitor.ts'

/** What Chromium itself complains of when the line is cut. */
const cutLine = /WebSocket connection to|net::ERR_/

function messagesOf(site: Site): string[] {
  const db = new Sqlite(join(site.dataFolder, 'meydan.db'), { readonly: true })
  const contents = db.prepare('select content from message order by id').pluck().all()
  db.close()
  return contents as string[] // the one column asked for
}

/** Kills the site and resolves when all these pages say that they noticed. */
async function kill(site: Site, ...visitors: Visitor[]): Promise<void> {
  await site.kill9()
  const cut = 'Bağlantı koptu. Sunucuya bağlanılıyor...'
  await Promise.all(visitors.map(({ page }) => page.getByText(cut).waitFor()))
}

/** Starts the site again and tells the pages that the network is back, as a phone does: they try at once then. */
async function restart(site: Site, ...visitors: Visitor[]): Promise<void> {
  await site.restart()
  for (const { page } of visitors) await page.evaluate(() => window.dispatchEvent(new Event('online')))
}

describe('a line that is cut', () => {
  journey(
    '[CHAT-17] what was typed meanwhile goes out once, when the site is back after kill -9',
    async ({ site, desktop }) => {
      const writer = await (await desktop()).signIn('Yazan', await makeRootAdmin(site, 'Yazan'))
      const reader = await (await desktop()).signIn('Okuyan', await makeRootAdmin(site, 'Okuyan'))
      for (const { errors } of [writer, reader]) errors.expect(cutLine)
      await writer.say('önce')
      await reader.reads('Önce')

      await kill(site, writer, reader)
      await writer.say('kesikken bir')
      await writer.say('kesikken iki')
      await writer.bubble('Kesikken iki', 'pending').waitFor()
      expect(await reader.bubble('Kesikken bir').count()).toBe(0)

      await restart(site, writer, reader)
      const all = ['Önce', 'Kesikken bir', 'Kesikken iki']
      for (const visitor of [writer, reader]) {
        await visitor.reads('Kesikken iki')
        expect(await visitor.thread()).toEqual(all)
      }
      expect(messagesOf(site)).toEqual(all)
    },
  )

  journey('[CHAT-17] a page that is loaded anew meanwhile still sends it, once', async ({ site, desktop }) => {
    const writer = await (await desktop()).signIn('Yenileyen', await makeRootAdmin(site, 'Yenileyen'))
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
    await writer.say('yenilenmeden önce')
    await writer.bubble('Yenilenmeden önce', 'pending').waitFor()
    isCut = false
    await page.reload()
    await writer.reads('Yenilenmeden önce')
    expect(messagesOf(site).filter((content) => content === 'Yenilenmeden önce')).toHaveLength(1)
  })

  journey(
    '[LIVE-16] whoever was away for longer than the log remembers is shown the room as it is',
    async ({ site, desktop }) => {
      const talker = await (await desktop()).signIn('Anlatan', await makeRootAdmin(site, 'Anlatan'))
      const away = await (await desktop()).signIn('Uzaktaki', await makeRootAdmin(site, 'Uzaktaki'))
      for (const { errors } of [talker, away]) errors.expect(cutLine)
      await talker.say('gitmeden')
      await away.reads('Gitmeden')

      await away.page.context().setOffline(true)
      await kill(site, talker)
      await restart(site, talker)
      await talker.say('yokken')
      await talker.say('epeydir')
      await talker.reads('Epeydir')
      await kill(site, talker)
      const db = new Sqlite(join(site.dataFolder, 'meydan.db'))
      // As trimming leaves it: the last row stays, so that no number comes twice.
      db.prepare('delete from event where seq < (select max(seq) from event)').run()
      db.close()
      await restart(site, talker)
      await talker.say('dönünce')

      // The browser itself tells the page of this.
      await away.page.context().setOffline(false)
      await away.reads('Dönünce')
      expect((await away.thread()).slice(-4)).toEqual(['Gitmeden', 'Yokken', 'Epeydir', 'Dönünce'])
    },
  )
})
