import type { Locator } from 'playwright-core'
import { describe, expect } from 'vitest'
import { updateSiteDatabase } from '../drivers/site.ts'
import type { ChatPage } from './chat-page.ts'
import { journey } from './journey.ts'
import { waitForFocus } from './keyboard-focus.ts'

const callWindow = ({ page }: ChatPage) => page.getByRole('dialog', { name: /^(Sesli|Görüntülü) arama$/ })
const incomingCall = ({ page }: ChatPage) => page.getByRole('alertdialog', { name: /^(Sesli|Görüntülü) arama$/ })
const button = (where: Locator | ChatPage['page'], name: string) => where.getByRole('button', { name, exact: true })

async function openProfile({ page }: ChatPage, username: string): Promise<Locator> {
  await page.goto(`/room/1?${new URLSearchParams({ profil: username })}`)
  return page.getByRole('dialog', { name: 'Profil', exact: true })
}

async function callByVoice(visitor: ChatPage, username: string): Promise<void> {
  await button(await openProfile(visitor, username), 'Sesli ara').click()
  await callWindow(visitor).getByText('Sesli arıyor...').waitFor()
}

/** The window's box, and whether it is wholly in the viewport. */
async function placeOf(visitor: ChatPage) {
  const box = await callWindow(visitor).boundingBox()
  const viewport = visitor.page.viewportSize()
  if (!box || !viewport) return expect.unreachable('the window is shown')
  const { x, y, width, height } = box
  return { x, y, isInside: x >= 0 && y >= 0 && x + width <= viewport.width && y + height <= viewport.height }
}

describe('the window of a call on a desktop', () => {
  journey(
    '[CALLUI-04] [CALLUI-06] [CALLUI-07] [CALLUI-10] leaves a half-typed text alone and goes on over rooms and dialogs',
    async ({ desktop }) => {
      const ada = await (await desktop({ reducedMotion: 'no-preference' })).openRoomAsGuest('Ada')
      const can = await (await desktop()).openRoomAsGuest('Can')

      await ada.openSideMenu()
      expect(await button(ada.page, 'Sesli ara').count()).toBe(0)
      const video = button(await openProfile(ada, 'Can'), 'Görüntülü ara')
      expect(await video.getAttribute('aria-disabled')).toBe('true')
      expect(await video.getAttribute('title')).toMatch(/^Video araması yapmak için izniniz yok\. .*takipçilerinden/)
      await video.press('Enter')
      await ada.page.locator('.toast', { hasText: 'Video araması yapmak için izniniz yok.' }).waitFor()
      expect(await callWindow(ada).count()).toBe(0)

      await can.composer.pressSequentially('yarım kalan ')
      await callByVoice(ada, 'Can')
      const ringing = incomingCall(can)
      await ringing.getByText('Sesli arama geliyor...', { exact: true }).waitFor()
      await ringing.getByText('Arama penceresine gitmek için F8 tuşuna bas.').waitFor()
      expect(await can.page.title()).toMatch(/^(\(\d+\) )?Ada arıyor · /)
      await can.page.keyboard.type('söz')
      expect(await can.composer.inputValue()).toBe('yarım kalan söz')
      await can.page.keyboard.press('F8')
      await waitForFocus(can.page, 'Sesli arama')
      await can.page.keyboard.press('Enter')
      expect(await ringing.isVisible()).toBe(true)
      await can.page.keyboard.press('Tab')
      await waitForFocus(can.page, 'Aramayı taşı')
      await can.page.keyboard.press('Tab')
      await waitForFocus(can.page, 'Reddet')
      await can.page.keyboard.press('Tab')
      await can.page.keyboard.press('Enter')
      for (const visitor of [ada, can]) await callWindow(visitor).getByRole('timer').waitFor()
      expect(await can.page.title()).not.toContain('arıyor')

      const level = (visitor: ChatPage) =>
        callWindow(visitor).evaluate((box) =>
          box.querySelector<HTMLElement>('.call')?.style.getPropertyValue('--call-level'),
        )
      await expect.poll(async () => Number(await level(ada))).toBeGreaterThan(0)
      expect(await level(can)).toBe('')

      const { page } = can
      await page.evaluate(() => document.querySelector('.call-box')?.setAttribute('data-marked', ''))
      await page.getByRole('navigation').getByRole('link', { name: /Müzik/ }).click()
      await page.getByRole('heading', { name: '#Müzik' }).waitFor()
      expect(await page.locator('.call-box[data-marked]').isVisible()).toBe(true)
      await can.openSideMenu()
      await can.sideMenuEntry('Tercihlerim').click()
      await page.getByRole('dialog', { name: 'Tercihlerim' }).waitFor()
      await button(callWindow(can), 'Mikrofon').click()
      await callWindow(can).getByText('Mikrofonun kapalı').waitFor()
      await callWindow(ada).getByText('Mikrofonu kapalı', { exact: true }).waitFor()
      await page.keyboard.press('Escape')
      await page.getByRole('dialog', { name: 'Tercihlerim' }).waitFor({ state: 'hidden' })
      expect(await page.locator('.call-box[data-marked]').isVisible()).toBe(true)

      await page.getByRole('button', { name: 'Profilim' }).focus()
      await page.keyboard.press('F8')
      await waitForFocus(page, 'Sesli arama')
      await page.keyboard.press('Escape')
      await button(callWindow(ada), 'Aramayı bitir').click()
      for (const visitor of [ada, can]) await callWindow(visitor).getByText('Arama sona erdi.').waitFor()
      await callWindow(can).waitFor({ state: 'detached' })
      await waitForFocus(page, 'Profilim')
    },
  )

  journey(
    '[CALLUI-02] [CALLUI-03] [CALLUI-06] takes the focus, is dragged and moved by keyboard, and has the controls of a video call',
    { tags: 'deep' },
    async ({ site, desktop }) => {
      const ada = await (await desktop()).openRoomAsGuest('Ada')
      const can = await (await desktop()).openRoomAsGuest('Can')
      updateSiteDatabase(site, "update user set videoCallPrivacy = 'everyone' where username = 'Can'")
      await can.page.getByRole('button', { name: 'Profilim' }).focus()
      await button(await openProfile(ada, 'Can'), 'Görüntülü ara').click()
      for (const visitor of [ada, can]) await waitForFocus(visitor.page, 'Görüntülü arama')
      await button(incomingCall(can), 'Kabul et').click()
      const controls = ['Kamera', 'Mikrofon', 'Hoparlör']
      for (const visitor of [ada, can])
        for (const name of controls)
          await callWindow(visitor).getByRole('button', { name, exact: true, pressed: true }).waitFor()
      for (const name of controls) {
        await button(callWindow(ada), name).press('Space')
        await callWindow(ada).getByRole('button', { name, exact: true, pressed: false }).waitFor()
      }
      await callWindow(can).getByText('Kamerası kapalı').waitFor()

      const { page } = ada
      const before = await placeOf(ada)
      const grip = button(callWindow(ada), 'Aramayı taşı: ok tuşları')
      await grip.press('ArrowLeft')
      await grip.press('ArrowDown')
      expect(await placeOf(ada)).toEqual({ x: before.x - 20, y: before.y + 20, isInside: true })
      await callWindow(ada).getByRole('heading', { name: 'Can' }).hover()
      await page.mouse.down()
      await page.mouse.move(5, 5, { steps: 3 })
      await page.mouse.move(1_435, 895, { steps: 3 })
      expect((await placeOf(ada)).isInside).toBe(true)
      await page.mouse.move(700, 500, { steps: 3 })
      await page.mouse.up()
      const left = await placeOf(ada)
      await page.setViewportSize({ width: 900, height: 600 })
      await expect.poll(async () => (await placeOf(ada)).isInside).toBe(true)
      await page.setViewportSize({ width: 1_440, height: 900 })
      await expect.poll(() => placeOf(ada)).toEqual(left)

      await button(callWindow(ada), 'Aramayı bitir').click()
      await callWindow(ada).waitFor({ state: 'detached' })
      await button(await openProfile(ada, 'Can'), 'Görüntülü ara').click()
      await expect.poll(async () => (await placeOf(ada)).isInside).toBe(true)
      expect(Math.abs((await placeOf(ada)).y - left.y)).toBeLessThan(400)
      await button(callWindow(ada), 'Aramayı bitir').click()
    },
  )
})

describe('the window of a call on a phone', () => {
  journey(
    '[CALLUI-05] [CALLUI-08] covers the screen, becomes a bar by Back and Esc, and is silent where one wants it so',
    async ({ desktop, phone }) => {
      const countNotes = (): void => {
        const { start } = OscillatorNode.prototype
        Object.assign(window, { noteCount: 0 })
        OscillatorNode.prototype.start = function (...at) {
          Object.assign(window, { noteCount: Reflect.get(window, 'noteCount') + 1 })
          start.apply(this, at)
        }
      }
      const noteCount = ({ page }: ChatPage) => page.evaluate(() => Reflect.get(window, 'noteCount'))
      const [ada, can] = [await desktop(), await phone()]
      for (const { page } of [ada, can]) await page.addInitScript(countNotes)
      await ada.openRoomAsGuest('Ada')
      await can.openRoomAsGuest('Can')
      await can.openSideMenu()
      await can.sideMenuEntry('Tercihlerim').click()
      const preferences = can.page.getByRole('dialog', { name: 'Tercihlerim' })
      await preferences.getByText('Sessiz', { exact: true }).click()
      await can.page.keyboard.press('Escape')
      await can.page.keyboard.press('Escape')
      await callByVoice(ada, 'Can')
      await expect.poll(() => noteCount(ada)).toBeGreaterThan(0)

      const { page } = can
      const { width, height } = page.viewportSize() ?? expect.unreachable('a phone has a viewport')
      const ringing = incomingCall(can)
      await expect.poll(() => ringing.boundingBox()).toEqual({ x: 0, y: 0, width, height })
      expect(await noteCount(can)).toBe(0)
      const bar = page.getByRole('region', { name: /^(Sesli|Görüntülü) arama$/ })
      await page.goBack()
      await bar.getByText('Sesli arama geliyor...').first().waitFor()
      await button(bar, 'Kabul et').click()
      await bar.getByRole('timer').waitFor()
      await can.sendMessage('aramadayken yazıyorum')
      await ada.waitForMessage('Aramadayken yazıyorum')
      await bar.getByRole('button', { name: /Aramaya dön/ }).click()
      await expect.poll(() => callWindow(can).boundingBox()).toEqual({ x: 0, y: 0, width, height })

      await button(callWindow(can), 'Görüntülüye geç').click()
      const request = callWindow(ada).getByText(/görüntülü aramaya geçmek istiyor\.$/)
      await request.waitFor()
      await button(callWindow(ada), 'Kabul et').click()
      for (const visitor of [ada, can])
        await callWindow(visitor).getByRole('button', { name: 'Kamera', exact: true, pressed: true }).waitFor()
      await button(callWindow(can), 'Kamerayı çevir').waitFor()
      await page.keyboard.press('Escape')
      await bar.getByRole('timer').waitFor()
      await button(bar, 'Aramayı bitir').click()
      await callWindow(ada).getByText('Arama sona erdi.').waitFor()
      await bar.waitFor({ state: 'detached' })
    },
  )

  journey('[CALLUI-12] a missed call is answered from its notification', async ({ desktop, phone }) => {
    const ada = await (await desktop()).openRoomAsGuest('Ada')
    const can = await (await phone()).openRoomAsGuest('Can')
    await can.page.goto('about:blank')
    const call = button(await openProfile(ada, 'Can'), 'Sesli ara')
    await call.waitFor()
    // It is shown for 3 s.
    const told = callWindow(ada).getByText('Aradığın kişi şu anda çevrimdışı.').waitFor()
    await call.click()
    await told
    await can.page.goto('/room/1')
    await can.waitForRoom()
    await can.page.getByRole('button', { name: /^Bildirimler/ }).click()
    await can.page.getByRole('tab', { name: /^Arama/ }).click()
    await callWindow(ada).waitFor({ state: 'detached' })
    await button(can.page, 'Geri ara: Ada').click()
    await button(incomingCall(ada), 'Reddet').click()
    await callWindow(can).getByText('Aramanız reddedildi.').waitFor()
    await callWindow(can).waitFor({ state: 'detached' })
    await incomingCall(ada).waitFor({ state: 'detached' })
  })
})
