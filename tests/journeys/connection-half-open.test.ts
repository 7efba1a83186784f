// @module-tag deep
import { describe, expect } from 'vitest'
import { CONNECT_TIMEOUT_MS } from '../../src/shared/room-chat/limits.ts'
import {
  CONNECTION_ERRORS,
  CONNECTION_LOST_TEXT,
  heardOn,
  networkJourney,
  readMessageContents,
  waitForStatus,
} from './connection-fixtures.ts'

/** Longer than a live connection is ever silent. */
const SLEEP_MS = 8 * 60 * 60_000

describe('a half-open connection', () => {
  networkJourney(
    '[LIVE-36] [CHAT-14] loses a message, which is sent on the next connection and arrives once although the old one delivers it too',
    async ({ site, network, desktop }) => {
      const writer = await desktop({ baseURL: network.url })
      await writer.page.clock.install()
      await writer.openRoomAsGuest('Yutulan')
      writer.errors.allow(CONNECTION_ERRORS)

      network.stall()
      await writer.sendMessage('Boşluğa')
      await writer.bubble('Boşluğa', 'pending').waitFor()
      await writer.page.clock.fastForward(CONNECT_TIMEOUT_MS)
      await waitForStatus(writer, CONNECTION_LOST_TEXT)
      await writer.bubble('Boşluğa', 'pending').waitFor()
      expect(readMessageContents(site)).toEqual([])

      network.restore()
      await writer.page.clock.fastForward(6_000)
      await writer.waitForMessage('Boşluğa')
      expect(readMessageContents(site)).toEqual(['Boşluğa'])
      expect(await writer.messageTexts()).toEqual(['Boşluğa'])
    },
  )

  networkJourney(
    '[LIVE-36] [LIVE-60] is detected within seconds by a phone that changed its network',
    async ({ network, phone, speaker }) => {
      const away = await (await phone({ baseURL: network.url })).openRoomAsGuest('Gezgin')
      const there = await speaker('Oturan')
      away.errors.allow(CONNECTION_ERRORS)

      network.switchNetwork()
      await Promise.all([waitForStatus(away, CONNECTION_LOST_TEXT), away.page.context().setOffline(true)])
      await away.sendMessage('Yoldan')
      await there.sendMessage('Yoldayken')
      await away.bubble('Yoldan', 'pending').waitFor()
      await away.page.context().setOffline(false)

      await away.waitForMessage('Yoldan')
      expect(await away.messageTexts()).toEqual(['Yoldayken', 'Yoldan'])
      await there.waitForMessage('Yoldan')
      expect(heardOn(there.connection)).toEqual(['Yoldayken', 'Yoldan'])
    },
  )

  networkJourney(
    '[LIVE-36] is replaced by a laptop that slept, which shows the missed messages in order',
    async ({ network, desktop, speaker }) => {
      const sleeper = await desktop({ baseURL: network.url })
      await sleeper.page.clock.install()
      await sleeper.openRoomAsGuest('Uyuyan')
      sleeper.errors.allow(CONNECTION_ERRORS)
      await sleeper.composer.fill('uykudan önce')
      const awake = await speaker('Uyanık')

      const browser = await sleeper.page.context().newCDPSession(sleeper.page)
      await browser.send('Page.setWebLifecycleState', { state: 'frozen' })
      network.switchNetwork()
      const texts = ['Gece bir', 'Gece iki', 'Gece üç']
      for (const words of texts) await awake.sendMessage(words)
      await browser.send('Page.setWebLifecycleState', { state: 'active' })
      // Playwright's equivalent of closing and opening the lid.
      await sleeper.page.clock.fastForward(SLEEP_MS)
      await waitForStatus(sleeper, CONNECTION_LOST_TEXT)
      await sleeper.page.clock.fastForward(6_000)
      await sleeper.waitForMessage('Gece üç')
      expect(await sleeper.messageTexts()).toEqual(texts)
      expect(await sleeper.composer.inputValue()).toBe('uykudan önce')
    },
  )
})
