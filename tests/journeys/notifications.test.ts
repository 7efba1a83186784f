import { describe, expect } from 'vitest'
import { assertNoXss } from './assert-no-xss.ts'
import type { ChatPage } from './chat-page.ts'
import { uniqueName } from './connection-fixtures.ts'
import { journey } from './journey.ts'
import { updateSiteDatabase } from './user-list-fixtures.ts'

const MARKUP = '<img src=x onerror="document.title=1">'
const bell = ({ page }: ChatPage, unread: number) =>
  page.getByRole('button', { name: unread > 0 ? `Bildirimler, ${unread} okunmamış` : 'Bildirimler', exact: true })
const tab = ({ page }: ChatPage, name: RegExp) => page.getByRole('tab', { name })
const waitForTitle = ({ page }: ChatPage, beginning: string) =>
  page.waitForFunction((text) => document.title.startsWith(text), beginning)

describe('notifications', () => {
  journey(
    '[NOTE-23] [NOTE-24] [NOTE-26] [NOTE-29] a mention in another room is counted, and leads to its message',
    async ({ desktop }) => {
      const [adaName, canName] = [uniqueName('Ada'), uniqueName('Can')]
      const ada = await (await desktop()).openRoomAsGuest(adaName, 2)
      const can = await (await desktop()).enterAsMember(canName)
      await bell(can, 0).waitFor()
      await waitForTitle(can, '#')
      await ada.sendMessage(`@${canName} neredesin ${MARKUP}`)
      await bell(can, 1).waitFor()
      await waitForTitle(can, '(1) #')
      await bell(can, 1).click()
      expect(await tab(can, /^Bahsetme/).getAttribute('aria-selected')).toBe('true')
      await can.page.locator('.notification-excerpt', { hasText: MARKUP }).waitFor()
      await assertNoXss(can.page)

      await tab(can, /^Bahsetme/).focus()
      await can.page.keyboard.press('ArrowRight')
      await can.page.getByText('Henüz başka bildirimin yok.').waitFor()
      await can.page.keyboard.press('Home')
      await can.page.getByText('Cevapsız araman yok.').waitFor()
      expect(await tab(can, /^Aramalar/).evaluate((element) => element === document.activeElement)).toBe(true)
      await tab(can, /^Bahsetme/).click()

      const mention = can.page
        .getByRole('tabpanel')
        .getByRole('link', { name: new RegExp(`${adaName}.* senden bahsetti`) })
      await mention.click()
      await can.page.waitForURL(/\/room\/2$/)
      const shown = can.page.locator('.bubble-row', { hasText: 'neredesin' })
      await shown.waitFor()
      await expect.poll(() => shown.evaluate((element) => element === document.activeElement)).toBe(true)
      await bell(can, 0).waitFor()
      await waitForTitle(can, '#')

      // In the room that is looked at, a mention is read, and stays in the list.
      await can.page.bringToFront()
      await ada.sendMessage(`@${canName} buradaymışsın`)
      await can.page.locator('.notification[data-unread=false]').waitFor()
      await bell(can, 0).waitFor()
      await mention.click()
      await mention.waitFor({ state: 'detached' })
      const second = can.page.locator('.bubble-row', { hasText: 'buradaymışsın' })
      await expect.poll(() => second.evaluate((element) => element === document.activeElement)).toBe(true)
    },
  )

  journey('[NOTE-23] [NOTE-25] a request to follow is accepted in its row', async ({ site, desktop, phone }) => {
    const [adaName, canName] = [uniqueName('Ada'), uniqueName('Can')]
    const ada = await (await desktop()).enterAsMember(adaName)
    const can = await (await phone()).enterAsMember(canName)
    updateSiteDatabase(site, "update user set accountPrivacy = 'private' where username = ?", canName)
    await ada.page.locator('m-island[data-name*=panel-host][data-live]').waitFor({ state: 'attached' })
    await ada.page.locator('.person', { hasText: canName }).click()
    const profile = ada.page.getByRole('dialog', { name: 'Profil', exact: true })
    await profile.getByRole('button', { name: 'İstek Gönder', exact: true }).click()

    await bell(can, 1).click()
    await can.page
      .getByRole('tabpanel', { name: /^Takip/ })
      .getByText(`${adaName}`)
      .waitFor()
    await can.page.getByRole('button', { name: 'Kabul et' }).click()
    await can.page.getByText('Bekleyen takip isteğin yok.').waitFor()
    await bell(can, 0).waitFor({ state: 'attached' })
    await profile.getByRole('button', { name: 'Takipten Çık', exact: true }).waitFor()
    await bell(ada, 1).waitFor({ state: 'attached' })
  })
})
