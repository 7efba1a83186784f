import { describe, expect } from 'vitest'
import { CONNECT_TIMEOUT_MS } from '../../src/shared/room-chat/limits.ts'
import { createSiteRootAdmin } from '../drivers/site-process.ts'
import {
  CONNECTION_ERRORS,
  CONNECTION_LOST_TEXT,
  networkJourney,
  readMessageContents,
  uniqueName,
  waitForStatus,
} from './connection-fixtures.ts'

/** Longer than a live connection is ever silent. */
const SLEEP_MS = 8 * 60 * 60_000

describe('a half-open connection', () => {
  networkJourney(
    '[LIVE-36] [CHAT-14] loses a message, which is sent on the next connection and arrives once although the old one delivers it too',
    async ({ site, network, desktop }) => {
      const name = uniqueName('Yutulan')
      const writer = await desktop({ baseURL: network.url })
      await writer.page.clock.install()
      await writer.openRoomAs(name, await createSiteRootAdmin(site, name))
      writer.errors.allow(CONNECTION_ERRORS)
      const words = `Boşluğa ${name}`

      network.stall()
      await writer.sendMessage(words)
      await writer.bubble(words, 'pending').waitFor()
      await writer.page.clock.fastForward(CONNECT_TIMEOUT_MS)
      await waitForStatus(writer, CONNECTION_LOST_TEXT)
      await writer.bubble(words, 'pending').waitFor()
      expect(readMessageContents(site)).not.toContain(words)

      network.restore()
      await writer.page.clock.fastForward(6_000)
      await writer.waitForMessage(words)
      expect(readMessageContents(site).filter((content) => content === words)).toHaveLength(1)
      expect((await writer.messageTexts()).filter((content) => content === words)).toHaveLength(1)
    },
  )

  networkJourney(
    '[LIVE-36] [LIVE-60] is detected within seconds by a phone that changed its network',
    async ({ site, network, phone, desktop }) => {
      const [name, other] = [uniqueName('Gezgin'), uniqueName('Oturan')]
      const away = await (await phone({ baseURL: network.url })).openRoomAs(name, await createSiteRootAdmin(site, name))
      const there = await (await desktop()).openRoomAs(other, await createSiteRootAdmin(site, other))
      away.errors.allow(CONNECTION_ERRORS)

      network.switchNetwork()
      await Promise.all([waitForStatus(away, CONNECTION_LOST_TEXT), away.page.context().setOffline(true)])
      await away.sendMessage(`Yoldan ${name}`)
      await there.sendMessage(`Yoldayken ${name}`)
      await there.waitForMessage(`Yoldayken ${name}`)
      await away.bubble(`Yoldan ${name}`, 'pending').waitFor()
      await away.page.context().setOffline(false)

      for (const visitor of [away, there]) {
        await visitor.waitForMessage(`Yoldan ${name}`)
        expect((await visitor.messageTexts()).slice(-2)).toEqual([`Yoldayken ${name}`, `Yoldan ${name}`])
      }
    },
  )

  networkJourney(
    '[LIVE-36] is replaced by a laptop that slept, which shows the missed messages in order',
    async ({ site, network, desktop }) => {
      const [name, other] = [uniqueName('Uyuyan'), uniqueName('Uyanık')]
      const sleeper = await desktop({ baseURL: network.url })
      await sleeper.page.clock.install()
      await sleeper.openRoomAsGuest(name)
      sleeper.errors.allow(CONNECTION_ERRORS)
      await sleeper.composer.fill('uykudan önce')
      const awake = await (await desktop()).openRoomAs(other, await createSiteRootAdmin(site, other))

      const browser = await sleeper.page.context().newCDPSession(sleeper.page)
      await browser.send('Page.setWebLifecycleState', { state: 'frozen' })
      network.switchNetwork()
      const texts = [1, 2, 3].map((count) => `Gece ${count} ${name}`)
      for (const words of texts) await awake.sendMessage(words)
      await awake.waitForMessage(texts.at(-1) ?? '')
      await browser.send('Page.setWebLifecycleState', { state: 'active' })
      // Playwright's equivalent of closing and opening the lid.
      await sleeper.page.clock.fastForward(SLEEP_MS)
      await waitForStatus(sleeper, CONNECTION_LOST_TEXT)
      await sleeper.page.clock.fastForward(6_000)
      await sleeper.waitForMessage(texts.at(-1) ?? '')
      expect((await sleeper.messageTexts()).slice(-3)).toEqual(texts)
      expect(await sleeper.composer.inputValue()).toBe('uykudan önce')
    },
  )
})
