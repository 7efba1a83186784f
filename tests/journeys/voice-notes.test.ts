// @module-tag deep
import type { Locator, Page } from 'playwright-core'
import { describe, expect } from 'vitest'
import { updateSiteDatabase } from '../drivers/site.ts'
import { openFromList, openFromProfile } from './direct-message-fixtures.ts'
import { journey } from './journey.ts'

/** Keeps the tracks of every microphone that the page opens. */
function keepTracks(): void {
  const { mediaDevices } = navigator
  const open = mediaDevices.getUserMedia.bind(mediaDevices)
  mediaDevices.getUserMedia = async (wanted) => {
    const stream = await open(wanted)
    Object.assign(window, { microphoneTracks: stream.getTracks() })
    return stream
  }
}

/** Notes on the element that plays next whether its first pause is its end. */
function noteEnd(): void {
  const note = ({ target }: Event): void => {
    if (target instanceof HTMLAudioElement) target.setAttribute('data-ended', `${target.ended}`)
  }
  // Media events reach the document only while they are captured.
  document.addEventListener('pause', note, { capture: true, once: true })
}

const microphoneStates = (page: Page) =>
  page.evaluate(() =>
    (window as unknown as { microphoneTracks: MediaStreamTrack[] }).microphoneTracks.map((track) => track.readyState),
  ) // set above

const button = (within: Locator, name: string) => within.getByRole('button', { name, exact: true })
const timeOf = (within: Locator) => within.getByRole('timer').textContent()

describe('a voice note', () => {
  journey(
    '[DM-42] [DM-44] [DM-46] [DM-48] is recorded, paused, heard and sent, and the other user plays it over a room change',
    async ({ site, desktop }) => {
      const ada = await (await desktop()).openRoomAsGuest('Ada')
      const can = await (await desktop()).openRoomAsGuest('Can')
      updateSiteDatabase(site, "update user set messageAudioPrivacy = 'everyone' where username = 'Can'")
      await can.sendMessage('Sesini duyalım')
      await ada.waitForMessage('Sesini duyalım')
      await ada.page.evaluate(keepTracks)
      const adaWindow = await openFromProfile(ada, 'Can')

      await button(adaWindow, 'Ses kaydet').click()
      await expect.poll(() => timeOf(adaWindow)).toMatch(/^0:0[2-9]$/)
      expect(await microphoneStates(ada.page)).toEqual(['live'])
      await button(adaWindow, 'Kaydı duraklat').click()
      const pausedAt = await timeOf(adaWindow)
      await button(adaWindow, 'Kayda devam et').click()
      await expect.poll(() => timeOf(adaWindow)).not.toBe(pausedAt)
      await button(adaWindow, 'Kaydı bitir').press('Enter')
      const preview = adaWindow.getByRole('group', { name: 'Kaydın önizlemesi' })
      await button(preview, 'Oynat').click()
      await button(preview, 'Duraklat').waitFor()
      expect(await microphoneStates(ada.page)).toEqual(['ended'])
      await button(adaWindow, 'Ses kaydını gönder').click()
      await adaWindow.locator('.bubble-row[data-status=sent] .audio-player').waitFor()

      const canWindow = await openFromList(can, 'Ada')
      const player = canWindow.locator('.bubble-row .audio-player')
      await button(player, 'Oynat').waitFor()
      const heights = await player
        .locator('[role=slider] > span')
        .first()
        .locator('i')
        .evaluateAll((bars) => bars.map((bar) => parseInt((bar as HTMLElement).style.height, 10)))
      expect([heights.length, Math.max(...heights)]).toEqual([20, 100])
      await can.page.evaluate(noteEnd)
      await button(player, 'Oynat').click()
      await button(canWindow, 'Küçült').click()
      await can.page.getByRole('navigation').getByRole('link', { name: /Müzik/ }).click()
      await can.page.getByRole('heading', { name: '#Müzik' }).waitFor()
      await button(canWindow, 'Büyüt').click()
      // Nothing paused it before its end, after which it rests at its beginning.
      await button(player, 'Oynat').waitFor()
      expect(await can.page.locator('body > audio[data-ended=true]').count()).toBe(1)
      expect(await player.getByRole('slider').getAttribute('aria-valuenow')).toBe('0')

      await button(adaWindow, 'Ses kaydet').click()
      await adaWindow.getByRole('timer').waitFor()
      await button(adaWindow, 'Geri').click()
      await expect.poll(() => microphoneStates(ada.page)).toEqual(['ended'])
    },
  )
})
