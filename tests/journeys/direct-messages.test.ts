import type { Locator } from 'playwright-core'
import { describe, expect } from 'vitest'
import { type Site, updateSiteDatabase } from '../drivers/site.ts'
import { createTestPhoto } from '../fixtures/test-photo.ts'
import type { ChatPage } from './chat-page.ts'
import {
  bubbleIn,
  composerOf,
  directWindow,
  listButton,
  openFromList,
  openFromProfile,
  sendDirectly,
  sendIn,
  waitForDirectMessage,
} from './direct-message-fixtures.ts'
import { movingJourney as journey } from './journey.ts'

/** Uploads a picture as the page would, and puts it into the message that the visitor sent with this text. */
async function attachPicture({ page }: ChatPage, site: Site, content: string): Promise<void> {
  const photo = (await createTestPhoto()).buffer.toString('base64')
  const mediaId = await page.evaluate(async (base64) => {
    const body = new FormData()
    body.set('media', new Blob([Uint8Array.from(atob(base64), (byte) => byte.charCodeAt(0))]), 'foto.jpg')
    const headers = { authorization: `Bearer ${localStorage.getItem('token')}`, 'idempotency-key': crypto.randomUUID() }
    return (await (await fetch('/api/dm/upload-media', { method: 'POST', headers, body })).json()).mediaId as number
  }, photo)
  updateSiteDatabase(site, `update directMessage set mediaId = ${mediaId} where content = '${content}'`)
}

/** Does it over HTTP, as another tab of the same user. */
async function postFromOtherTab({ page }: ChatPage, path: string, data: object): Promise<void> {
  const headers = { authorization: `Bearer ${await page.evaluate(() => localStorage.getItem('token'))}` }
  expect((await page.request.post(path, { headers, data })).status()).toBe(200)
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
      const ada = await (await desktop()).openRoomAsGuest('Adanur')
      const can = await (await desktop()).openRoomAsGuest('Caner')
      await can.sendMessage('Selam millet')
      await ada.waitForMessage('Selam millet')

      const adaWindow = await openFromProfile(ada, 'Caner')
      await sendIn(adaWindow, 'Merhaba Can')
      await bubbleIn(adaWindow, 'Merhaba Can', 'sent').waitFor()
      await can.page.getByRole('button', { name: 'Mesajlar, 1 okunmamış' }).waitFor()
      await attachPicture(ada, site, 'Merhaba Can')

      const canWindow = await openFromList(can, 'Adanur')
      await bubbleIn(canWindow, 'Merhaba Can', 'sent').waitFor()
      await bubbleIn(adaWindow, 'Merhaba Can', 'read').waitFor()
      await viewHiddenPicture(can, canWindow)
      await can.page.getByRole('button', { name: 'Mesajlar', exact: true }).waitFor()
      await composerOf(canWindow).pressSequentially('Sel')
      await adaWindow.getByText('Caner yazıyor').waitFor()
      await sendIn(canWindow, 'Selam Ada')
      await bubbleIn(canWindow, 'Selam Ada', 'read').waitFor()
      await can.page.locator('.conversation [data-read=true]').waitFor()
      expect(await can.page.locator('.conversation-last .truncate').textContent()).toBe('Selam Ada')
    },
  )

  journey(
    '[DM-20] explain a block while the window is open, and let one write again after it',
    { tags: 'deep' },
    async ({ speaker, desktop }) => {
      const ada = await speaker('Adanur')
      const can = await (await desktop()).openRoomAsGuest('Caner')
      await sendDirectly(ada, 'Caner', 'Bir şey soracağım')
      const canWindow = await openFromList(can, 'Adanur')

      await postFromOtherTab(can, '/api/users/block', { blockedUsername: 'Adanur' })
      await canWindow.getByPlaceholder('Kullanıcıyı engellediniz').waitFor()
      await postFromOtherTab(can, '/api/users/unblock', { blockedUsername: 'Adanur' })
      await canWindow.getByPlaceholder('Mesaj yaz').waitFor()
      await ada.fetch('/api/users/block', { blockedUsername: 'Caner' })
      await canWindow.getByPlaceholder('Kullanıcı sizi engelledi').waitFor()
      expect(await composerOf(canWindow).isDisabled()).toBe(true)
      await ada.fetch('/api/users/unblock', { blockedUsername: 'Caner' })
      await canWindow.getByPlaceholder('Mesaj yaz').waitFor()
      await sendIn(canWindow, 'Sor bakalım')
      await waitForDirectMessage(ada, 'Sor bakalım')
    },
  )

  journey(
    '[DM-21] [DM-25] keep their windows where they were put, and hide a conversation',
    { tags: 'deep' },
    async ({ speaker, desktop }) => {
      const ada = await (await desktop()).openRoomAsGuest('Adanur')
      await (await speaker('Caner')).sendMessage('Günaydın')
      await ada.waitForMessage('Günaydın')
      const opened = await openFromProfile(ada, 'Caner')
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
      const restored = directWindow(ada, 'Caner')
      await bubbleIn(restored, 'Bu pencere kalsın', 'sent').waitFor()
      expect(await sizeOf(restored)).toEqual(place)
      await restored.getByRole('button', { name: 'Küçült' }).click()
      await composerOf(restored).waitFor({ state: 'hidden' })
      await restored.getByRole('button', { name: 'Büyüt' }).click()
      await composerOf(restored).press('Escape')
      await restored.waitFor({ state: 'hidden' })

      await listButton(ada).click()
      const row = ada.page.locator('.conversation').filter({ hasText: 'Caner' })
      await row.getByRole('button', { name: 'Konuşmayı gizle: Caner' }).press('Enter')
      await ada.page.getByText('Konuşma başarıyla gizlendi.').waitFor()
      await ada.page.getByText('Henüz bir mesajın yok!').waitFor()
    },
  )

  journey(
    '[DM-57] [DM-58] [DM-61] report a message, delete a conversation, and end while they are open',
    async ({ speaker, desktop }) => {
      const ada = await (await desktop()).openRoomAsGuest('Adanur')
      const can = await speaker('Caner')
      await listButton(ada).click()
      await ada.page.getByRole('button', { name: 'Yeni mesaj' }).click()
      await ada.page.getByRole('heading', { name: /Odadakiler/ }).waitFor()
      await can.sendMessage('Kimse var mı?')
      await ada.waitForMessage('Kimse var mı?')
      const adaWindow = await openFromProfile(ada, 'Caner')
      await sendIn(adaWindow, 'Sana bir şey diyeceğim')
      await waitForDirectMessage(can, 'Sana bir şey diyeceğim')
      await sendDirectly(can, 'Adanur', 'Söyle @Adanur')
      await adaWindow.getByRole('button', { name: '@Adanur', exact: true }).waitFor()
      await composerOf(adaWindow).fill('Dinle @')
      await adaWindow.getByRole('option', { name: 'Caner' }).click()
      await composerOf(adaWindow).press('Enter')
      await adaWindow.getByRole('button', { name: '@Caner', exact: true }).waitFor()

      const menuOf = async (text: string): Promise<Locator> => {
        const row = adaWindow.locator('.bubble-row').filter({ hasText: text })
        await row.hover()
        await row.getByRole('button', { name: 'Mesaj işlemleri' }).click()
        return adaWindow.getByRole('menu', { name: 'Mesaj işlemleri' })
      }
      const ownMenu = await menuOf('Sana bir şey diyeceğim')
      expect(await ownMenu.getByRole('menuitem').allTextContents()).toEqual(['Yanıtla', 'Kopyala'])
      await ada.page.keyboard.press('Escape')
      await adaWindow.waitFor()
      await (await menuOf('Söyle')).getByRole('menuitem', { name: 'Bildir' }).click()
      const form = ada.page.getByRole('dialog', { name: 'Mesajı Bildir' })
      await form.getByRole('radio', { name: 'Hakaret' }).check()
      await form.getByRole('button', { name: 'Bildir' }).click()
      await ada.page.getByText('Mesaj bildirildi.').waitFor()

      await adaWindow.getByRole('button', { name: 'Konuşma işlemleri' }).click()
      await adaWindow.getByRole('menuitem', { name: 'Konuşmayı sil' }).click()
      await ada.page.getByRole('dialog', { name: 'Konuşmayı Sil' }).getByRole('button', { name: 'Sil' }).click()
      await ada.page.getByText('Konuşma silindi.').waitFor()
      await adaWindow.waitFor({ state: 'hidden' })
      const kept = expect.arrayContaining([expect.objectContaining({ content: 'Sana bir şey diyeceğim' })])
      expect(await can.fetch('/api/dm/Caner/Adanur')).toMatchObject({ messages: kept })

      await sendDirectly(can, 'Adanur', 'Orada mısın?')
      await openFromList(ada, 'Caner')
      // As on another device of the same user.
      await postFromOtherTab(ada, '/api/dm/delete', { targetUsername: 'Caner' })
      await ada.page.getByText('Caner ile konuşma sona erdi.').waitFor()
      await adaWindow.waitFor({ state: 'hidden' })
      expect(can.connection.receivedEvents('dmCleared')).toEqual([])
    },
  )

  journey(
    '[DM-26] fill the screen of a phone, where Back leads back to the list',
    { tags: 'deep' },
    async ({ speaker, phone }) => {
      const ada = await speaker('Adanur')
      const can = await (await phone()).openRoomAsGuest('Caner')
      await sendDirectly(ada, 'Caner', 'Neredesin?')

      const canWindow = await openFromList(can, 'Adanur')
      await ada.connection.waitFor(() => ada.connection.receivedEvents('messagesRead').length > 0)
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
      await waitForDirectMessage(ada, 'Yoldayım')
      await can.page.goBack()
      await canWindow.waitFor({ state: 'hidden' })
      await can.page.locator('.conversation-open').filter({ hasText: 'Adanur' }).click()
      await canWindow.waitFor()
      await canWindow.getByRole('button', { name: 'Geri' }).click()
      await canWindow.waitFor({ state: 'hidden' })
      await expect.poll(() => can.page.evaluate(() => history.state?.depth)).toBe(2)
      expect(new URL(can.page.url()).pathname).toBe('/room/1')
      const hide = can.page.getByRole('button', { name: 'Konuşmayı gizle: Adanur' })
      await hide.tap()
      await can.page.getByText('Henüz bir mesajın yok!').waitFor()
    },
  )

  journey(
    '[DM-76] [DM-79] are found from the menu of their window and shown there, with the keyboard alone',
    async ({ speaker, desktop }) => {
      const ada = await speaker('Adanur')
      const can = await (await desktop()).openRoomAsGuest('Caner')
      await sendDirectly(ada, 'Caner', 'kırmızı elma')
      for (let at = 1; at <= 60; at++) await sendDirectly(ada, 'Caner', `Söz ${at}`)
      const { page } = can
      const window = await openFromList(can, 'Adanur')
      await window.getByRole('button', { name: 'Konuşma işlemleri' }).click()
      await page.getByRole('menuitem', { name: 'Mesajlarda ara' }).click()
      const field = page.getByRole('combobox', { name: 'Mesajlarda ara' })
      await expect
        .poll(async () => {
          await field.fill('')
          await field.fill('KIRMIZI el')
          await page.getByText(/bulundu|bulunamadı/).waitFor()
          return page.getByRole('option').count()
        })
        .toBe(1)
      await page.keyboard.press('Enter')
      await window.locator('.bubble-row:focus').getByText('Kırmızı elma').waitFor()
      expect(await field.count()).toBe(0)
    },
  )
})
