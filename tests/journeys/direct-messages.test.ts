import type { Locator } from 'playwright-core'
import { describe, expect } from 'vitest'
import type { SiteProcess } from '../drivers/site-process.ts'
import { createTestPhoto } from '../fixtures/test-photo.ts'
import { updateSiteDatabase } from '../screens/screen-steps.ts'
import type { ChatPage } from './chat-page.ts'
import { uniqueName } from './connection-fixtures.ts'
import {
  bubbleIn,
  composerOf,
  directWindow,
  listButton,
  openFromList,
  openFromProfile,
  sendIn,
} from './direct-message-fixtures.ts'
import { journey } from './journey.ts'

journey.override('motion', 'no-preference')

/** Uploads a picture as the page would, and puts it into the message that the visitor sent with this text. */
async function attachPicture({ page }: ChatPage, site: SiteProcess, content: string): Promise<void> {
  const photo = (await createTestPhoto()).buffer.toString('base64')
  const mediaId = await page.evaluate(async (base64) => {
    const body = new FormData()
    body.set('media', new Blob([Uint8Array.from(atob(base64), (byte) => byte.charCodeAt(0))]), 'foto.jpg')
    const headers = { authorization: `Bearer ${localStorage.getItem('token')}`, 'idempotency-key': crypto.randomUUID() }
    return (await (await fetch('/api/dm/upload-media', { method: 'POST', headers, body })).json()).mediaId as number
  }, photo)
  updateSiteDatabase(site, `update directMessage set mediaId = ${mediaId} where content = '${content}'`)
}

/** The stranger's picture is fetched once it is asked for; Esc closes it and returns the focus. */
async function viewHiddenPicture({ page }: ChatPage, window: Locator): Promise<void> {
  const countPictures = () =>
    page.evaluate(() => performance.getEntriesByType('resource').filter(({ name }) => /\/uploads\//.test(name)).length)
  await window.getByText('Bu kişiyle henüz yazışmadın.').waitFor()
  expect(await countPictures()).toBe(0)
  await window.getByRole('button', { name: 'Göster', exact: true }).click()
  await window.locator('.media-picture[data-status=loaded]').waitFor()
  const opener = window.getByRole('button', { name: 'Fotoğrafı büyüt' })
  const viewer = page.getByRole('dialog', { name: 'Resimler ve videolar' })
  for (const close of [() => page.keyboard.press('Escape'), () => page.goBack()]) {
    await opener.click()
    await viewer.getByRole('img', { name: 'Fotoğraf' }).waitFor()
    await close()
    await viewer.waitFor({ state: 'detached' })
    await expect.poll(() => opener.evaluate((button) => button === document.activeElement)).toBe(true)
  }
  expect(await window.isVisible()).toBe(true)
}

describe('direct messages', () => {
  journey(
    '[DM-19] [DM-23] [DM-50] [DM-52] open from a profile with a picture, are counted, read and answered, with blue ticks',
    async ({ desktop, site }) => {
      const [adaName, canName] = [uniqueName('Ada'), uniqueName('Can')]
      const ada = await (await desktop()).openRoomAsGuest(adaName)
      const can = await (await desktop()).openRoomAsGuest(canName)
      await can.sendMessage('Selam millet')
      await ada.waitForMessage('Selam millet')

      const adaWindow = await openFromProfile(ada, canName)
      await sendIn(adaWindow, 'Merhaba Can')
      await bubbleIn(adaWindow, 'Merhaba Can', 'sent').waitFor()
      await can.page.getByRole('button', { name: 'Mesajlar, 1 okunmamış' }).waitFor()
      await attachPicture(ada, site, 'Merhaba Can')

      const canWindow = await openFromList(can, adaName)
      await bubbleIn(canWindow, 'Merhaba Can', 'sent').waitFor()
      await bubbleIn(adaWindow, 'Merhaba Can', 'read').waitFor()
      await viewHiddenPicture(can, canWindow)
      await can.page.getByRole('button', { name: 'Mesajlar', exact: true }).waitFor()
      await composerOf(canWindow).pressSequentially('Sel')
      await adaWindow.getByText(`${canName} yazıyor`).waitFor()
      await sendIn(canWindow, 'Selam Ada')
      await bubbleIn(canWindow, 'Selam Ada', 'read').waitFor()
      await can.page.locator('.conversation-tick[data-read=true]').waitFor()
      expect(await can.page.locator('.conversation-preview').textContent()).toBe('Selam Ada')
    },
  )

  journey('[DM-20] explain a block while the window is open, and let one write again after it', async ({ desktop }) => {
    const [adaName, canName] = [uniqueName('Ada'), uniqueName('Can')]
    const ada = await (await desktop()).openRoomAsGuest(adaName)
    const can = await (await desktop()).openRoomAsGuest(canName)
    await can.sendMessage('Buradayım')
    await ada.waitForMessage('Buradayım')
    const adaWindow = await openFromProfile(ada, canName)
    await sendIn(adaWindow, 'Bir şey soracağım')
    const canWindow = await openFromList(can, adaName)

    const change = (path: string) =>
      ada.page.evaluate(
        async ([to, name]) => {
          const headers = {
            authorization: `Bearer ${localStorage.getItem('token')}`,
            'content-type': 'application/json',
          }
          const body = JSON.stringify({ blockedUsername: name })
          return (await fetch(`/api/users/${to}`, { method: 'POST', headers, body })).status
        },
        [path, canName] as const,
      )
    expect(await change('block')).toBe(200)
    await adaWindow.getByPlaceholder('Kullanıcıyı engellediniz').waitFor()
    await canWindow.getByPlaceholder('Kullanıcı sizi engelledi').waitFor()
    expect(await composerOf(canWindow).isDisabled()).toBe(true)
    expect(await change('unblock')).toBe(200)
    await canWindow.getByPlaceholder('Mesaj yaz').waitFor()
    await sendIn(canWindow, 'Sor bakalım')
    await bubbleIn(adaWindow, 'Sor bakalım', 'sent').waitFor()
  })

  journey('[DM-21] [DM-25] keep their windows where they were put, and hide a conversation', async ({ desktop }) => {
    const [adaName, canName] = [uniqueName('Ada'), uniqueName('Can')]
    const ada = await (await desktop()).openRoomAsGuest(adaName)
    const can = await (await desktop()).openRoomAsGuest(canName)
    await can.sendMessage('Günaydın')
    await ada.waitForMessage('Günaydın')
    const opened = await openFromProfile(ada, canName)
    await sendIn(opened, 'Bu pencere kalsın')
    await bubbleIn(opened, 'Bu pencere kalsın', 'sent').waitFor()

    const sizeOf = (window: Locator) =>
      window.evaluate(({ style }) => [style.left, style.top, style.width, style.height])
    expect((await sizeOf(opened)).slice(2)).toEqual(['300px', '400px'])
    const handle = opened.getByRole('button', { name: /^Boyutlandır/ })
    await handle.press('ArrowRight')
    await handle.press('ArrowDown')
    await handle.press('Shift+ArrowUp')
    await opened.locator('.direct-head .tier').hover()
    await ada.page.mouse.down()
    await ada.page.mouse.move(300, 200, { steps: 4 })
    await ada.page.mouse.up()
    const place = await sizeOf(opened)
    expect(place.slice(2)).toEqual(['320px', '420px'])
    await ada.page.reload()
    const restored = directWindow(ada, canName)
    await bubbleIn(restored, 'Bu pencere kalsın', 'sent').waitFor()
    expect(await sizeOf(restored)).toEqual(place)
    await restored.getByRole('button', { name: 'Küçült' }).click()
    await composerOf(restored).waitFor({ state: 'hidden' })
    await restored.getByRole('button', { name: 'Büyüt' }).click()
    await composerOf(restored).press('Escape')
    await restored.waitFor({ state: 'hidden' })

    await listButton(ada).click()
    const row = ada.page.locator('.conversation').filter({ hasText: canName })
    await row.getByRole('button', { name: `Konuşmayı gizle: ${canName}` }).press('Enter')
    await ada.page.getByText('Konuşma başarıyla gizlendi.').waitFor()
    await ada.page.getByText('Henüz bir mesajın yok!').waitFor()
  })

  journey(
    '[DM-57] [DM-58] [DM-61] report a message, delete a conversation, and end while they are open',
    async ({ desktop }) => {
      const [adaName, canName] = [uniqueName('Ada'), uniqueName('Can')]
      const ada = await (await desktop()).enterAsGuest(adaName)
      const can = await (await desktop()).enterAsGuest(canName)
      await listButton(can).click()
      await can.page.getByRole('button', { name: 'Yeni mesaj' }).click()
      await can.page.getByRole('heading', { name: /Odadakiler/ }).waitFor()
      await can.sendMessage('Kimse var mı?')
      await ada.waitForMessage('Kimse var mı?')
      const adaWindow = await openFromProfile(ada, canName)
      await sendIn(adaWindow, 'Sana bir şey diyeceğim')
      const canWindow = await openFromList(can, adaName)
      await composerOf(canWindow).fill('Söyle @')
      await canWindow.getByRole('option', { name: adaName }).click()
      await composerOf(canWindow).press('Enter')
      await adaWindow.getByRole('button', { name: `@${adaName}`, exact: true }).waitFor()

      const menuOf = async (window: Locator, text: string): Promise<Locator> => {
        const row = window.locator('.bubble-row').filter({ hasText: text })
        await row.hover()
        await row.getByRole('button', { name: 'Mesaj işlemleri' }).click()
        return window.getByRole('menu', { name: 'Mesaj işlemleri' })
      }
      const ownMenu = await menuOf(adaWindow, 'Sana bir şey diyeceğim')
      expect(await ownMenu.getByRole('menuitem').allTextContents()).toEqual(['Yanıtla', 'Kopyala'])
      await ada.page.keyboard.press('Escape')
      await adaWindow.waitFor()
      await (await menuOf(adaWindow, 'Söyle')).getByRole('menuitem', { name: 'Bildir' }).click()
      const form = ada.page.getByRole('dialog', { name: 'Mesajı Bildir' })
      await form.getByRole('radio', { name: 'Hakaret' }).check()
      await form.getByRole('button', { name: 'Bildir' }).click()
      await ada.page.getByText('Mesaj bildirildi.').waitFor()

      await adaWindow.getByRole('button', { name: 'Konuşma işlemleri' }).click()
      await adaWindow.getByRole('menuitem', { name: 'Konuşmayı sil' }).click()
      await ada.page.getByRole('dialog', { name: 'Konuşmayı Sil' }).getByRole('button', { name: 'Sil' }).click()
      await ada.page.getByText('Konuşma silindi.').waitFor()
      await adaWindow.waitFor({ state: 'hidden' })
      await bubbleIn(canWindow, 'Sana bir şey diyeceğim', 'sent').waitFor()
      // As on another device of Can.
      await can.page.evaluate((name) => {
        const headers = {
          authorization: `Bearer ${localStorage.getItem('token')}`,
          'content-type': 'application/json',
        }
        return fetch('/api/dm/delete', { method: 'POST', headers, body: JSON.stringify({ targetUsername: name }) })
      }, adaName)
      await can.page.getByText(`${adaName} ile konuşma sona erdi.`).waitFor()
      await canWindow.waitFor({ state: 'hidden' })
    },
  )

  journey('[DM-26] fill the screen of a phone, where Back leads back to the list', async ({ desktop, phone }) => {
    const [adaName, canName] = [uniqueName('Ada'), uniqueName('Can')]
    const ada = await (await desktop()).openRoomAsGuest(adaName)
    const can = await (await phone()).openRoomAsGuest(canName)
    await can.sendMessage('Telefondayım')
    await ada.waitForMessage('Telefondayım')
    const adaWindow = await openFromProfile(ada, canName)
    await sendIn(adaWindow, 'Neredesin?')

    const canWindow = await openFromList(can, adaName)
    await bubbleIn(adaWindow, 'Neredesin?', 'read').waitFor()
    const screenBox = { x: 0, y: 0, width: 390, height: 844 }
    // The window slides in first.
    await expect.poll(() => canWindow.boundingBox()).toEqual(screenBox)
    // A touched message stays hovered, yet its menu opens by a long press only.
    await bubbleIn(canWindow, 'Neredesin?', 'sent').tap()
    const isShown = (button: Locator) => button.evaluate((element) => getComputedStyle(element).opacity !== '0')
    expect(await isShown(canWindow.locator('.message-more'))).toBe(false)
    await can.page.setViewportSize({ width: 844, height: 390 })
    await expect.poll(() => canWindow.boundingBox()).toEqual({ ...screenBox, width: 844, height: 390 })
    await can.page.setViewportSize({ width: 390, height: 844 })
    await sendIn(canWindow, 'Yoldayım')
    await bubbleIn(adaWindow, 'Yoldayım', 'sent').waitFor()
    await can.page.goBack()
    await canWindow.waitFor({ state: 'hidden' })
    await can.page.locator('.conversation-open').filter({ hasText: adaName }).click()
    await canWindow.waitFor()
    await canWindow.getByRole('button', { name: 'Geri' }).click()
    await canWindow.waitFor({ state: 'hidden' })
    await expect.poll(() => can.page.evaluate(() => history.state?.depth)).toBe(2)
    expect(new URL(can.page.url()).pathname).toBe('/room/1')
    const hide = can.page.getByRole('button', { name: `Konuşmayı gizle: ${adaName}` })
    await hide.tap()
    await can.page.getByText('Henüz bir mesajın yok!').waitFor()
  })
})
