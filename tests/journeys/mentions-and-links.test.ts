import type { Locator } from 'playwright-core'
import { describe, expect } from 'vitest'
import { journey } from './journey.ts'

describe('mentions from another room', () => {
  journey(
    '[NOTE-90] [NOTE-91] [NOTE-92] [NOTE-93] stay in a toast, mark the room and the title, and lead to the message',
    async ({ site, desktop, phone, speaker }) => {
      const writer = await speaker('Çağrıcı', { role: 'rootAdmin' })
      const away = await (await desktop()).openRoomAsGuest('Uzaktaki', 3)
      const onPhone = await (await phone()).openRoomAsGuest('Cepteki', 3)
      const bystander = await speaker('Seyirci', { roomId: 3 })
      const { page } = away
      const rail = page.getByRole('navigation', { name: 'Odalar' })
      const toast = page.getByRole('link', { name: /senden bahsetti/ })
      await page.getByRole('button', { name: 'Bildirimler' }).waitFor()

      await writer.sendMessage('@Uzaktaki ilk söz')
      await toast.getByText('#Meydan', { exact: true }).waitFor()
      await toast.getByText('Çağrıcı senden bahsetti: @Uzaktaki ilk söz').waitFor()
      await rail.getByRole('link', { name: /Meydan.*1 okunmamış bahsetme/ }).waitFor()
      await expect.poll(() => page.title()).toMatch(/^\(1\) /)

      await writer.sendMessage('@Uzaktaki son söz')
      await toast.getByText('Bu odada 2 bahsetme').waitFor()
      expect(await page.locator('.toast').count()).toBe(1)
      await page.getByRole('button', { name: 'Bahsetmeyi gizle' }).click()
      await toast.waitFor({ state: 'detached' })
      await rail.getByRole('link', { name: /Meydan.*2 okunmamış bahsetme/ }).waitFor()
      // Only a new mention shows it again.
      await writer.sendMessage('@Uzaktaki bir söz daha')
      await page.evaluate(() => document.documentElement.setAttribute('data-same-document', ''))
      await toast.click()
      await page.getByRole('heading', { name: '#Meydan' }).waitFor()
      await away.bubble('@Uzaktaki bir söz daha', 'sent').waitFor()
      expect(await page.locator('html[data-same-document]').count()).toBe(1)
      await expect.poll(() => page.title()).not.toMatch(/^\(/)
      expect(await page.getByText(/okunmamış bahsetme/).count()).toBe(0)
      expect(await toast.count()).toBe(0)
      await page.getByRole('button', { name: 'Bildirimler' }).click()
      await page.getByRole('tab', { name: 'Bahsetme' }).click()
      await expect.poll(() => page.locator('.notification').filter({ hasText: 'senden bahsetti' }).count()).toBe(3)

      await writer.sendMessage('@Cepteki bak')
      const phoneToast = onPhone.page.getByRole('link', { name: /senden bahsetti/ })
      await phoneToast.getByText('#Meydan', { exact: true }).waitFor()
      await expect.poll(() => onPhone.page.title()).toMatch(/^\(1\) /)
      await onPhone.page.getByRole('button', { name: /^Tüm Odalar/ }).tap()
      const sheet = onPhone.page.getByRole('dialog', { name: /^Tüm Odalar/ })
      await sheet.getByRole('link', { name: /Meydan.*1 okunmamış bahsetme/ }).waitFor()
      await onPhone.page.goBack()
      await sheet.waitFor({ state: 'hidden' })
      await phoneToast.tap()
      await onPhone.page.getByRole('heading', { name: '#Meydan' }).waitFor()
      await onPhone.bubble('@Cepteki bak', 'sent').waitFor()
      // So does a link to a room of this site.
      const link = `${site.origin}/room/3`
      await onPhone.sendMessage(link)
      await onPhone.bubble(link, 'sent').getByRole('link').tap()
      await onPhone.page.getByRole('heading', { name: '#Müzik' }).waitFor()
      expect(onPhone.page.context().pages()).toHaveLength(1)

      await onPhone.sendMessage('Geldim')
      await Promise.all([writer.waitForMessage(link), bystander.waitForMessage('Geldim')])
      for (const { connection } of [writer, bystander])
        for (const name of ['mentionNotification', 'newNotification'] as const)
          expect(connection.receivedEvents(name)).toEqual([])
    },
  )
})

describe('links to rooms and profiles of this site', () => {
  journey(
    '[SHELL-71] [SHELL-107] open in the page; other origins, Ctrl and the middle button open a tab',
    async ({ site, desktop }) => {
      const reader = await (await desktop()).openRoomAs('Bağcı', await site.createRootAdmin('Bağcı'))
      const { page } = reader
      const other = site.origin.replace('127.0.0.1', 'localhost')
      const [ownText, otherText] = [
        `@Bağcı, profil ${site.origin}/room/3?profil=Bağcı ve oda ${site.origin}/room/3`,
        `Benzeri ${other}/room/3`,
      ]
      await reader.sendMessage(ownText)
      await reader.sendMessage(otherText)
      const own = reader.bubble(ownText, 'sent').getByRole('link')
      const tabs = () => page.context().pages().length
      await page.evaluate(() => document.documentElement.setAttribute('data-same-document', ''))

      await page.route(`${other}/**`, (route) => route.fulfill({ body: 'başka site' }))
      const foreign = page.waitForEvent('popup')
      await reader.bubble(otherText, 'sent').getByRole('link').click()
      await (await foreign).close()
      const opened = page.context().waitForEvent('page')
      await own.last().click({ modifiers: ['ControlOrMeta'] })
      await (await opened).close()

      // Names are buttons, and open a tab as links do.
      await page.context().route(/profil=/, (route) => route.fulfill({ body: 'profil', contentType: 'text/html' }))
      const presses: [Locator, Parameters<Locator['click']>[0]][] = [
        [page.locator('.person', { hasText: 'Bağcı' }), { button: 'middle' }],
        [reader.bubble(ownText, 'sent').locator('.mention'), { modifiers: ['ControlOrMeta'] }],
      ]
      for (const [place, options] of presses) {
        const tab = page.context().waitForEvent('page')
        await place.click(options)
        const url = `${site.origin}/room/1?profil=${encodeURIComponent('Bağcı')}`
        await expect.poll(async () => (await tab).url()).toBe(url)
        await (await tab).close()
      }
      expect(await page.locator('[data-profile]').count()).toBe(0)

      await own.first().click()
      await expect.poll(() => page.getByRole('button', { name: 'Profilim' }).getAttribute('aria-expanded')).toBe('true')
      expect(page.url()).toContain('/room/1')
      await own.last().click()
      await page.getByRole('heading', { name: '#Müzik' }).waitFor()
      expect([tabs(), await page.locator('html[data-same-document]').count()]).toEqual([1, 1])
    },
  )
})
