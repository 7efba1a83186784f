// @module-tag deep
import { randomBytes } from 'node:crypto'
import sharp from 'sharp'
import { describe, expect } from 'vitest'
import { updateSiteDatabase } from '../drivers/site.ts'
import { composerOf, openFromList, openFromProfile, sendIn } from './direct-message-fixtures.ts'
import { journey } from './journey.ts'

const SENT_PICTURE =
  '.bubble-row[data-status=sent] img[src^="/uploads/"], .bubble-row[data-status=read] img[src^="/uploads/"]'

/** The files that this browser stores. Runs in the page. */
function countStoredFiles(): Promise<number> {
  return new Promise((resolve, reject) => {
    const opening = indexedDB.open('unsentFiles')
    opening.onerror = () => reject(opening.error)
    opening.onsuccess = () => {
      const counting = opening.result.transaction('files').objectStore('files').count()
      counting.onsuccess = () => resolve(counting.result)
    }
  })
}

/** Stores a file as another tab would. Runs in the page. */
function storeFile(): Promise<void> {
  return new Promise((resolve, reject) => {
    const opening = indexedDB.open('unsentFiles', 1)
    opening.onupgradeneeded = () => opening.result.createObjectStore('files', { keyPath: 'key' })
    opening.onerror = () => reject(opening.error)
    opening.onsuccess = () => {
      const transaction = opening.result.transaction('files', 'readwrite')
      transaction.objectStore('files').put({ key: 'gizli', file: { blob: new Blob(['gizli']), poster: null } })
      transaction.oncomplete = () => resolve(opening.result.close())
    }
  })
}

/** Runs in the page. */
async function hasFileStorage(): Promise<boolean> {
  return (await indexedDB.databases()).some(({ name }) => name === 'unsentFiles')
}

/** Whether the browser has the file without asking the server. Runs in the page. */
function isCached(url: string): Promise<boolean> {
  return fetch(url, { cache: 'only-if-cached', mode: 'same-origin' }).then(
    ({ ok }) => ok,
    () => false,
  )
}

describe('a file in a direct message', () => {
  journey(
    '[DM-35] [DM-38] [DM-41] [MEDIA-52] [DM-70] is picked, sent with a text, shown at the end, gone on with after a reload, sent once, and gone with the session',
    async ({ site, desktop }) => {
      const ada = await (await desktop()).openRoomAsGuest('Adanur')
      const can = await (await desktop()).openRoomAsGuest('Caner')
      updateSiteDatabase(site, "update user set messageImagePrivacy = 'everyone' where username = 'Caner'")
      await can.sendMessage('Selam millet')
      await ada.waitForMessage('Selam millet')
      const buffer = await sharp({ create: { width: 300, height: 200, channels: 3, background: '#3366cc' } })
        .png()
        .toBuffer()
      const adaWindow = await openFromProfile(ada, 'Caner')
      await adaWindow.locator('input[data-files]').setInputFiles({ name: 'deniz.png', mimeType: 'image/png', buffer })
      await adaWindow.getByText('deniz.png').waitFor()
      await sendIn(adaWindow, 'Bak şuna')
      await adaWindow.locator(SENT_PICTURE).waitFor()

      const canWindow = await openFromList(can, 'Adanur')
      await sendIn(canWindow, 'Çok güzel')
      await canWindow.locator(SENT_PICTURE).waitFor()
      expect(await canWindow.getByText('Bak şuna').count()).toBe(1)
      const picture = (await canWindow.locator(SENT_PICTURE).getAttribute('src')) ?? ''

      // The upload of a file of 2 MB has begun when the page is reloaded.
      const uploads: string[] = []
      ada.page.on('request', (request) => {
        if (request.url().includes('/api/uploads')) uploads.push(request.method())
      })
      await ada.page.route('**/api/uploads/*', (route) => route.abort())
      ada.errors.allow(/Failed to load resource/)
      const raw = { width: 1000, height: 700, channels: 3 } as const
      const noise = await sharp(randomBytes(2_100_000), { raw }).png().toBuffer()
      await adaWindow
        .locator('input[data-files]')
        .setInputFiles({ name: 'iki.png', mimeType: 'image/png', buffer: noise })
      await adaWindow.getByText('iki.png').waitFor()
      const distanceToEnd = () => adaWindow.getByRole('log').evaluate(({ scrollTop }) => Math.abs(scrollTop))
      await adaWindow.getByRole('log').evaluate((log) => log.scrollTo({ top: -log.scrollHeight }))
      await adaWindow.getByRole('button', { name: 'En alta in' }).waitFor()
      expect(await distanceToEnd()).toBeGreaterThan(40)
      await composerOf(adaWindow).press('Enter')
      await adaWindow.locator('.bubble-row[data-status=pending]').waitFor()
      await expect.poll(distanceToEnd).toBeLessThan(2)
      await expect.poll(() => uploads).toContain('PATCH')
      await ada.page.reload()
      await ada.page.unroute('**/api/uploads/*')
      await expect.poll(() => canWindow.locator(SENT_PICTURE).count()).toBe(2)
      await expect.poll(() => adaWindow.locator(SENT_PICTURE).count()).toBe(2)
      await expect.poll(() => ada.page.evaluate(countStoredFiles)).toBe(0)
      await expect.poll(() => uploads.at(-1)).toBe('DELETE')
      expect(uploads.filter((method) => method === 'POST')).toHaveLength(1)

      // The file of a tab that is gone, which no page of this browser has loaded.
      await can.page.evaluate(storeFile)
      await can.page.evaluate(() => localStorage.removeItem('directWindows'))
      await can.page.reload()
      expect(await can.page.evaluate(isCached, picture)).toBe(true)
      await can.logOut()
      can.errors.allow(/Failed to load resource/)
      await expect.poll(() => can.page.evaluate(isCached, picture)).toBe(false)
      await expect.poll(() => can.page.evaluate(hasFileStorage)).toBe(false)
    },
  )
})
