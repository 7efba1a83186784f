import { describe, expect } from 'vitest'
import { readSiteDatabase, updateSiteDatabase } from '../drivers/site.ts'
import { assertNoXss } from './assert-no-xss.ts'
import type { ChatPage } from './chat-page.ts'
import { journey } from './journey.ts'

const MARKUP = '<img src=x onerror="document.title=1">'
const bell = ({ page }: ChatPage, unread: number) =>
  page.getByRole('button', { name: unread > 0 ? `Bildirimler, ${unread} okunmamış` : 'Bildirimler', exact: true })
const tab = ({ page }: ChatPage, name: RegExp) => page.getByRole('tab', { name })
const waitForTitle = ({ page }: ChatPage, beginning: string) =>
  page.waitForFunction((text) => document.title.startsWith(text), beginning)

describe('notifications', () => {
  journey(
    '[NOTE-23] [NOTE-24] [NOTE-26] [NOTE-29] a mention in another room is counted, and leads to its message',
    async ({ desktop, speaker }) => {
      const ada = await speaker('Ada', { roomId: 2 })
      const can = await (await desktop()).enterAsMember('Can')
      await bell(can, 0).waitFor()
      await waitForTitle(can, '#')
      await ada.sendMessage(`@Can neredesin ${MARKUP}`)
      await bell(can, 1).waitFor()
      await waitForTitle(can, '(1) #')
      await bell(can, 1).click()
      expect(await tab(can, /^Bahsetme/).getAttribute('aria-selected')).toBe('true')
      await can.page.locator('.notification bdi', { hasText: MARKUP }).waitFor()
      await assertNoXss(can.page)

      await tab(can, /^Bahsetme/).focus()
      await can.page.keyboard.press('ArrowRight')
      await can.page.getByText('Henüz başka bildirimin yok.').waitFor()
      await can.page.keyboard.press('Home')
      await can.page.getByText('Cevapsız araman yok.').waitFor()
      expect(await tab(can, /^Aramalar/).evaluate((element) => element === document.activeElement)).toBe(true)
      await tab(can, /^Bahsetme/).click()

      const mention = can.page.getByRole('tabpanel').getByRole('link', { name: /Ada.* senden bahsetti/ })
      await mention.click()
      await can.page.waitForURL(/\/room\/2$/)
      const shown = can.page.locator('.bubble-row', { hasText: 'neredesin' })
      await shown.waitFor()
      await expect.poll(() => shown.evaluate((element) => element === document.activeElement)).toBe(true)
      await bell(can, 0).waitFor()
      await waitForTitle(can, '#')

      // In the room that is looked at, a mention is read, and stays in the list.
      await can.page.bringToFront()
      await ada.sendMessage('@Can buradaymışsın')
      await can.page.locator('.notification[data-unread=false]').waitFor()
      await bell(can, 0).waitFor()
      await mention.click()
      await mention.waitFor({ state: 'detached' })
      const second = can.page.locator('.bubble-row', { hasText: 'buradaymışsın' })
      await expect.poll(() => second.evaluate((element) => element === document.activeElement)).toBe(true)
    },
  )

  journey('[NOTE-23] [NOTE-25] a request to follow is accepted in its row', async ({ site, phone, speaker }) => {
    const ada = await speaker('Ada', { role: 'member' })
    const can = await (await phone()).enterAsMember('Can')
    updateSiteDatabase(site, "update user set accountPrivacy = 'private' where username = 'Can'")
    const followingId = readSiteDatabase(site, "select id from user where username = 'Can'")
    await ada.fetch('/api/follow/follow', { followerId: ada.signedIn.user.id, followingId, request: true })

    await bell(can, 1).click()
    await can.page
      .getByRole('tabpanel', { name: /^Takip/ })
      .getByText('Ada')
      .waitFor()
    await can.page.getByRole('button', { name: 'Kabul et' }).click()
    await can.page.getByText('Bekleyen takip isteğin yok.').waitFor()
    await bell(can, 0).waitFor({ state: 'attached' })
    const { connection } = ada
    for (const name of ['newNotification', 'userFollowed'] as const)
      await connection.waitFor(() => connection.receivedEvents(name).length > 0)
    expect(connection.receivedEvents('newNotification')).toMatchObject([
      { type: 'followAccepted', unread: { other: 1 } },
    ])
    expect(connection.receivedEvents('userFollowed')).toMatchObject([{ followingUsername: 'Can', status: 'following' }])
  })
})
