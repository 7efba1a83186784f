import type { Locator, Page } from 'playwright-core'
import { describe, expect } from 'vitest'
import { journey } from './journey.ts'

const dialog = (page: Page, name: string | RegExp): Locator => page.getByRole('dialog', { name })
const leaveQuestion = (page: Page): Locator => dialog(page, 'Odadan ayrılıyor musun?')

/** Back with nothing open asks, and a click on 'Vazgeç' stays in the same document. */
async function expectBackToAsk(page: Page): Promise<void> {
  await page.goBack()
  await leaveQuestion(page).getByRole('button', { name: 'Vazgeç' }).click()
  await leaveQuestion(page).waitFor({ state: 'hidden' })
  expect(await page.evaluate(() => 'isSameDocument' in window)).toBe(true)
}

/** Marks the document, and uses the page: until then browsers ignore what it adds to the history. */
async function markDocument(page: Page): Promise<void> {
  await page.evaluate(() => Object.assign(window, { isSameDocument: true }))
  await page.getByRole('log').click({ position: { x: 5, y: 5 } })
}

/** The button of a mouse: the browser skips entries as for its own Back button, which `goBack` does not. */
async function pressBackButton(page: Page): Promise<void> {
  const session = await page.context().newCDPSession(page)
  await session.send('Input.dispatchMouseEvent', { type: 'mouseReleased', x: 5, y: 300, button: 'back', clickCount: 1 })
  await session.detach()
}

describe('Back', () => {
  journey(
    '[SHELL-37] [SHELL-51] on a phone closes the topmost sheet, dialog or menu, and asks before it leaves the room',
    { tags: 'deep' },
    async ({ phone }) => {
      const { page } = await (await phone()).openRoomAsGuest('Geri')
      await markDocument(page)
      const settings = dialog(page, 'Ayarlar')
      const rooms = dialog(page, /^Tüm Odalar/)

      // A sheet, a dialog that it opens, and the menu of a panel.
      await page.getByRole('button', { name: 'Ayarlar' }).tap()
      await settings.getByRole('button', { name: 'Genel' }).tap()
      await dialog(page, 'Genel').waitFor()
      await page.goBack()
      await dialog(page, 'Genel').waitFor({ state: 'hidden' })
      expect(await settings.isVisible()).toBe(true)
      await page.goBack()
      await settings.waitFor({ state: 'hidden' })

      // Forward opens nothing, and what Esc or a button closes leaves no entry.
      await page.goForward()
      for (const close of [
        () => page.keyboard.press('Escape'),
        () => settings.getByRole('button', { name: 'Kapat' }).tap(),
      ]) {
        await page.getByRole('button', { name: 'Ayarlar' }).tap()
        await settings.waitFor()
        await close()
        await settings.waitFor({ state: 'hidden' })
      }
      await expectBackToAsk(page)

      // A link in a sheet leads to another room, from which one Back leads here.
      await page.getByRole('button', { name: /^Tüm Odalar/ }).tap()
      await rooms.getByRole('link', { name: /Müzik/ }).first().tap()
      await page.getByRole('heading', { name: '#Müzik' }).waitFor()
      await page.goBack()
      await page.getByRole('heading', { name: '#Meydan' }).waitFor()
      expect(await page.getByRole('dialog').count()).toBe(0)
      await markDocument(page)
      await expectBackToAsk(page)

      // A page that loads again with a sheet open is that of the room.
      page.on('dialog', (unload) => void unload.accept())
      await page.getByRole('button', { name: 'Ayarlar' }).tap()
      await settings.waitFor()
      await page.reload()
      await page
        .locator('.room-frame m-island[data-live]')
        .filter({ has: page.getByRole('log') })
        .waitFor()
      expect(await page.getByRole('dialog').count()).toBe(0)
      await markDocument(page)
      await expectBackToAsk(page)

      await page.goBack()
      await leaveQuestion(page).getByRole('button', { name: 'Ayrıl' }).tap()
      await page.getByText('olarak devam et').waitFor()
      expect(new URL(page.url()).pathname).toBe('/')
    },
  )

  journey('[SHELL-37] [SHELL-105] on a desktop closes a menu and a dialog, and asks each time', async ({ desktop }) => {
    const visitor = await (await desktop()).openRoomAsGuest('Masada')
    const { page } = visitor
    await markDocument(page)
    await visitor.openContextMenu()
    await page.goBack()
    await page.getByRole('menu').waitFor({ state: 'hidden' })
    await visitor.openContextMenu()
    await page.getByRole('menuitem', { name: 'Oda Bilgileri' }).click()
    await dialog(page, '#Meydan').waitFor()
    await page.goBack()
    await dialog(page, '#Meydan').waitFor({ state: 'hidden' })

    // Nothing is clicked in between.
    for (const _ of [1, 2]) {
      await pressBackButton(page)
      await leaveQuestion(page).waitFor()
      await pressBackButton(page)
      await leaveQuestion(page).waitFor({ state: 'hidden' })
    }
    await expectBackToAsk(page)
  })
})

describe('the log-in form of the front page', () => {
  journey('[SHELL-54] on a phone opens in view with the focus in it, above the keyboard', async ({ phone }) => {
    const { page } = await phone()
    await page.goto('/')
    await page.getByText('Üye misin?').tap()
    const isFocused = (field: Element): boolean => field === document.activeElement
    expect(await page.getByLabel('Kullanıcı adı').evaluate(isFocused)).toBe(true)
    const bottom = async (): Promise<number> => {
      const { y, height } = (await page.getByRole('button', { name: 'Giriş yap' }).boundingBox()) ?? { y: 0, height: 0 }
      return y + height
    }
    // With a keyboard the page is as high as what is left.
    await page.setViewportSize({ width: 390, height: 470 })
    await expect.poll(bottom).toBeLessThanOrEqual(470)
    expect((await page.getByLabel('Kullanıcı adı').boundingBox())?.y).toBeGreaterThan(0)
  })
})
