// @module-tag deep
import { networkInterfaces } from 'node:os'
import type { Locator } from 'playwright-core'
import sharp from 'sharp'
import { expect } from 'vitest'
import { updateSiteDatabase } from '../drivers/site.ts'
import {
  callButton,
  enterForCalls,
  expectNoCall,
  callJourney as journey,
  placeCall,
  waitForMedia,
} from './call-fixtures.ts'
import type { ChatPage } from './chat-page.ts'
import { bubbleIn, composerOf, openFromList, openFromProfile, sendIn } from './direct-message-fixtures.ts'
import { describeInFirefox, say } from './firefox-fixtures.ts'

/** Firefox sends no media to loopback: the relay needs another address of this machine. */
const hasOwnAddress = Object.values(networkInterfaces()).some((addresses) =>
  addresses?.some(({ internal }) => !internal),
)

const button = (within: Locator, name: string) => within.getByRole('button', { name, exact: true })

/** Mutes what plays. Without a sound device Firefox gives up on a file that is to be heard. Runs in the page. */
function muteAudio(): void {
  const create = document.createElement.bind(document)
  document.createElement = ((name: string) => {
    const element = create(name)
    if (element instanceof HTMLAudioElement) element.muted = true
    return element
  }) as typeof document.createElement // the site passes names only
}

describeInFirefox('in Firefox', () => {
  journey(
    '[DM-47] [DM-52] a conversation is held with a user of Chromium, whose picture is seen and whose recording is heard',
    async ({ site, desktop, firefox }) => {
      const ada = await (await desktop()).openRoomAsGuest('Ada')
      const can = await (await firefox()).openRoomAsGuest('Can')
      for (const column of ['messageAudioPrivacy', 'messageImagePrivacy'])
        updateSiteDatabase(site, `update user set ${column} = 'everyone' where username = 'Can'`)
      await say(can.composer, 'Ateş tilkisinden selam')
      await ada.waitForMessage('Ateş tilkisinden selam')

      const adaWindow = await openFromProfile(ada, 'Can')
      await sendIn(adaWindow, 'Beni duyuyor musun?')
      const canWindow = await openFromList(can, 'Ada')
      await bubbleIn(canWindow, 'Beni duyuyor musun?', 'sent').waitFor()
      await say(composerOf(canWindow), 'Henüz değil :)')
      await bubbleIn(adaWindow, 'Henüz değil 🙂', 'sent').waitFor()
      await bubbleIn(canWindow, 'Henüz değil 🙂', 'read').waitFor()

      const buffer = await sharp({ create: { width: 600, height: 400, channels: 3, background: '#3366cc' } })
        .png()
        .toBuffer()
      await adaWindow.locator('input[data-files]').setInputFiles({ name: 'deniz.png', mimeType: 'image/png', buffer })
      await adaWindow.getByText('deniz.png').waitFor()
      await sendIn(adaWindow, 'Bak şuna')
      await seeInViewer(can, canWindow)

      await button(adaWindow, 'Ses kaydet').click()
      await expect.poll(() => adaWindow.getByRole('timer').textContent()).toMatch(/^0:0[3-9]$/)
      await button(adaWindow, 'Kaydı bitir').click()
      await button(adaWindow, 'Ses kaydını gönder').click()
      await can.page.evaluate(muteAudio)
      await hear(canWindow.locator('.bubble-row .audio-player'))
    },
  )

  journey.skipIf(!hasOwnAddress)(
    '[CALLNET-10] a call with a user of Chromium is seen and heard on both sides, in both directions',
    async ({ site, member, firefox }) => {
      const [ada, can] = [await member('Ada'), await firefox()]
      await enterForCalls(site, can, 'Can')
      await say(can.composer, 'Ben Can')
      await ada.waitForMessage('Ben Can')
      const callFrom = async (caller: ChatPage, callee: ChatPage, name: string) => {
        await placeCall(caller, name, 'Görüntülü ara')
        await callButton(callee, 'Kabul et').click()
        await Promise.all([ada, can].map((user) => waitForMedia(user, 'video')))
        await callButton(caller, 'Aramayı bitir').click()
        await Promise.all([ada, can].map(expectNoCall))
      }
      await callFrom(ada, can, 'Can')
      await callFrom(can, ada, 'Ada')
    },
  )
})

/** Opens the picture of the conversation, zooms it, and closes it, by keys. */
async function seeInViewer(visitor: ChatPage, window: Locator): Promise<void> {
  const { page } = visitor
  const picture = window.getByRole('button', { name: 'Fotoğrafı büyüt' })
  await picture.focus()
  await page.keyboard.press('Enter')
  const viewer = page.getByRole('dialog', { name: 'Resimler ve videolar' })
  const shown = viewer.locator('.viewer-media img[alt=Fotoğraf]')
  await expect.poll(() => shown.evaluate((image) => (image as HTMLImageElement).naturalWidth)).toBe(600)
  await page.keyboard.press('+')
  await viewer.locator('.viewer-stage[data-zoomed=true]').waitFor()
  await page.keyboard.press('Escape')
  await viewer.waitFor({ state: 'detached' })
  await expect.poll(() => picture.evaluate((element) => element === document.activeElement)).toBe(true)
}

/** Plays a recording to its end, after a move by key. */
async function hear(player: Locator): Promise<void> {
  const slider = player.getByRole('slider')
  const readSlider = async (name: string) => Number(await slider.getAttribute(`aria-${name}`))
  await button(player, 'Oynat').waitFor()
  expect(await readSlider('valuemax')).toBeGreaterThanOrEqual(3)
  await button(player, 'Oynat').click()
  await button(player, 'Duraklat').waitFor()
  await expect.poll(() => readSlider('valuenow')).toBeGreaterThanOrEqual(1)
  await button(player, 'Duraklat').click()
  await button(player, 'Oynat').waitFor()
  await slider.press('Home')
  expect(await readSlider('valuenow')).toBe(0)
  await slider.press('ArrowRight')
  await slider.press('ArrowRight')
  expect(await readSlider('valuenow')).toBe(2)
  await button(player, 'Oynat').click()
  await button(player, 'Duraklat').waitFor()
  // It rests at its beginning after its end.
  await button(player, 'Oynat').waitFor()
  expect(await readSlider('valuenow')).toBe(0)
}
