import type { Dialog, Page } from 'playwright-core'
import { describe, expect } from 'vitest'
import { decodeClientFrame, encode } from '../../src/shared/protocol/frame.ts'
import { PROTOCOL_MAJOR } from '../../src/shared/protocol/version.ts'
import {
  CONNECTION_ERRORS,
  CONNECTION_LOST_TEXT,
  CONNECTION_RESTORED_TEXT,
  dispatchOnline,
  expectBlockingOverlay,
  expectDraftKept,
  passTimeUntilShown,
  readMessageContents,
  waitForStatus,
} from './connection-fixtures.ts'
import { journey, processJourney } from './journey.ts'

const SHUTTING_DOWN = 'Sunucu yeniden başlatılıyor. Birazdan geri döneceğiz.'
const RESTARTED = 'Sunucu yeniden başlatıldı.'

/** The same frame as a page of an older version sends it. */
function withOlderProtocol(frame: Buffer): Buffer {
  const values = decodeClientFrame(frame) ?? []
  for (const value of values)
    if (value[2] === 'hello') Object.assign(value[3] as object, { protocol: PROTOCOL_MAJOR - 1 }) // its payload
  return Buffer.concat(values.map((value) => encode(value)))
}

/** Counts the browser's leave questions and accepts each. */
function countUnloadDialogs(page: Page): () => number {
  let asked = 0
  page.on('dialog', (dialog: Dialog) => {
    asked++
    void dialog.accept()
  })
  return () => asked
}

describe('the server', () => {
  journey(
    '[LIVE-37] shows that the page connects, without blocking reading',
    { tags: 'deep' },
    async ({ desktop, phone }) => {
      for (const [index, device] of [desktop, phone].entries()) {
        const visitor = await device()
        const allowed = Promise.withResolvers<void>()
        await visitor.page.context().routeWebSocket(/\/live$/, async (socket) => {
          await allowed.promise
          socket.connectToServer()
        })
        await visitor.openRoomAsGuest(`Bekleyen${index}`)
        await waitForStatus(visitor, 'Sunucuya bağlanılıyor...')
        await visitor.composer.fill('beklerken')
        allowed.resolve()
        await visitor.page.getByText('Sunucuya bağlanılıyor...').waitFor({ state: 'hidden' })
        expect(await visitor.composer.inputValue()).toBe('beklerken')
      }
    },
  )

  processJourney(
    '[LIVE-35] [LIVE-26] [CHAT-17] restarts and offers a reload that keeps typed text',
    { tags: 'deep' },
    async ({ site, desktop, phone }) => {
      const writer = await (await desktop()).openRoomAsGuest('Yenileyen')
      const reader = await (await phone()).openRoomAsGuest('Okuyan')
      const visitors = [writer, reader]
      for (const { errors } of visitors) errors.allow(CONNECTION_ERRORS)
      const asked = countUnloadDialogs(writer.page)
      await writer.composer.click()

      expect(await site.signal('SIGTERM')).toBe(0)
      for (const visitor of visitors) await waitForStatus(visitor, SHUTTING_DOWN)
      await writer.sendMessage('Kapalıyken')
      await writer.composer.fill('yarım kalan')
      await site.restart()
      // The toast is shown for 2 seconds only.
      await Promise.all(
        visitors.flatMap((visitor) => [waitForStatus(visitor, CONNECTION_RESTORED_TEXT), dispatchOnline(visitor)]),
      )
      for (const visitor of visitors) await waitForStatus(visitor, RESTARTED)
      for (const visitor of visitors) await visitor.waitForMessage('Kapalıyken')

      await reader.page.getByRole('button', { name: 'Şimdi değil' }).tap()
      await reader.page.getByText(RESTARTED).waitFor({ state: 'hidden' })
      const reloaded = writer.page.waitForEvent('load')
      await writer.page.getByRole('button', { name: 'Sayfayı yenile' }).click()
      await reloaded
      await writer.waitForRoom()
      expect(await writer.page.getByText(RESTARTED).count()).toBe(0)
      await expect.poll(() => writer.composer.inputValue()).toBe('yarım kalan')
      expect(asked()).toBe(0)
      expect(readMessageContents(site)).toEqual(['Kapalıyken'])
    },
  )

  processJourney(
    '[LIVE-34] [LIVE-37] [LIVE-61] stays away: after 5 attempts an overlay appears, data is kept, and its button reconnects',
    async ({ site, desktop, phone }) => {
      const writer = await (await desktop()).openRoomAsGuest('İnatçı')
      const reader = await (await phone()).openRoomAsGuest('Sabırlı')
      const visitors = [writer, reader]
      for (const { errors } of visitors) errors.allow(CONNECTION_ERRORS)
      for (const { page } of visitors) await page.clock.install()
      const stored = () => writer.page.evaluate(() => ['username', 'token'].map((key) => localStorage.getItem(key)))
      const before = await stored()
      await site.kill9()
      await waitForStatus(writer, CONNECTION_LOST_TEXT)
      await writer.sendMessage('Duvara')
      await writer.composer.fill('duvara yarım')

      // Five real attempts, with a pause of 5 s before each.
      await Promise.all(
        visitors.map(async (visitor) => {
          await passTimeUntilShown(visitor, visitor.page.getByRole('alertdialog'))
          await expectBlockingOverlay(visitor, 'Sunucuya ulaşılamıyor')
        }),
      )
      await writer.page.getByText('Yazdıkların duruyor; bağlantı gelince gönderilecek.').waitFor()
      expect(await stored()).toEqual(before)

      await reader.page.getByRole('button', { name: 'Mesajları oku' }).tap()
      await reader.page.getByRole('alertdialog').waitFor({ state: 'hidden' })
      await reader.sendMessage('Okurken')
      await reader.bubble('Okurken', 'pending').waitFor()
      await reader.page.getByRole('button', { name: 'Tekrar dene' }).tap()
      await waitForStatus(reader, CONNECTION_LOST_TEXT)
      await passTimeUntilShown(reader, reader.page.getByRole('status').getByText('Sunucuya ulaşılamıyor.'))
      expect(await reader.page.getByRole('alertdialog').count()).toBe(0)

      const again = writer.page.getByRole('button', { name: 'Tekrar dene' })
      await again.focus()
      await writer.page.keyboard.press('Enter')
      await expectDraftKept(writer, 'duvara yarım')
      await waitForStatus(writer, CONNECTION_LOST_TEXT)

      await site.restart()
      await Promise.all([
        waitForStatus(reader, CONNECTION_RESTORED_TEXT),
        reader.page.getByRole('button', { name: 'Tekrar dene' }).tap(),
      ])
      expect(await reader.page.getByRole('alertdialog').count()).toBe(0)
      await dispatchOnline(writer)
      for (const visitor of visitors) {
        await visitor.waitForMessage('Duvara')
        await visitor.waitForMessage('Okurken')
      }
      await expectDraftKept(writer, 'duvara yarım')
      expect(readMessageContents(site).sort()).toEqual(['Duvara', 'Okurken'])
    },
  )

  journey(
    '[LIVE-12] [LIVE-37] speaks another protocol version: the page asks for a reload and keeps the draft',
    { tags: 'deep' },
    async ({ desktop, phone }) => {
      for (const [index, device] of [desktop, phone].entries()) {
        const visitor = await device()
        const { page, composer } = visitor
        let isOld = true
        const allowed = Promise.withResolvers<void>()
        await page.context().routeWebSocket(/\/live$/, async (socket) => {
          await allowed.promise
          const server = socket.connectToServer()
          socket.onMessage((frame) => server.send(isOld ? withOlderProtocol(frame as Buffer) : frame)) // frames are binary
        })
        await visitor.openRoomAsGuest(`Eski${index}`)
        await composer.fill('eskiden kalan')
        allowed.resolve()
        await expectBlockingOverlay(visitor, 'Meydan yenilendi')
        isOld = false
        await page.getByRole('button', { name: 'Sayfayı yenile' }).click()
        await page.getByRole('alertdialog').waitFor({ state: 'detached' })
        await visitor.waitForRoom()
        await expect.poll(() => composer.inputValue()).toBe('eskiden kalan')
        expect(await page.getByRole('alertdialog').count()).toBe(0)
      }
    },
  )

  journey(
    '[LIVE-35] has other files after an upgrade: a missing chunk offers a reload',
    { tags: 'deep' },
    async ({ desktop }) => {
      const visitor = await (await desktop()).openRoomAsGuest('Parçalı')
      const { page, errors } = visitor
      for (const failure of [/status of 404/, /answered 404/]) errors.allow(failure)
      await page.context().route(/\/overlays-/, (route) => route.fulfill({ status: 404 }))
      await page.getByRole('button', { name: 'Tüm Odalar' }).first().click()
      await waitForStatus(visitor, 'Sayfanın bir parçası yüklenemedi.')
      await page.context().unroute(/\/overlays-/)
      await page.getByRole('button', { name: 'Sayfayı yenile' }).click()
      await page.getByText('Sayfanın bir parçası yüklenemedi.').waitFor({ state: 'detached' })
      await visitor.waitForRoom()
      await page.getByRole('button', { name: 'Tüm Odalar' }).first().click()
      await page.getByRole('dialog', { name: /Tüm Odalar/ }).waitFor()
    },
  )
})
