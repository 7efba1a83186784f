import type { Locator } from 'playwright-core'
import { describe, expect } from 'vitest'
import type { ReportReason } from '../../src/shared/reports/rules.ts'
import type { LiveUser } from '../drivers/live-user.ts'
import type { Site } from '../drivers/site.ts'
import type { ChatPage } from './chat-page.ts'
import { journey } from './journey.ts'
import { waitForFocus } from './keyboard-focus.ts'

async function enterAsRootAdmin(site: Site, visitor: ChatPage, username = 'Yetkin'): Promise<ChatPage> {
  return visitor.openRoomAs(username, await site.createRootAdmin(username))
}

/** Opens the form of a message with the keyboard. */
async function openReportForm(visitor: ChatPage, text: string): Promise<Locator> {
  const row = visitor.bubble(text)
  await row.focus()
  await row.getByRole('button', { name: 'Mesaj işlemleri' }).press('Enter')
  await visitor.page.getByRole('menuitem', { name: 'Bildir' }).press('Enter')
  const form = visitor.page.getByRole('dialog', { name: 'Mesajı Bildir' })
  await form.waitFor()
  return form
}

/** The one sends a message in room 1, and the other reports it. */
async function sendAndReport(sender: LiveUser, reporter: LiveUser, reason: ReportReason): Promise<void> {
  const messageId = await sender.sendMessage('Kaba sözler')
  await reporter.fetch('/api/rooms/report', { messageId, roomId: 1, reason })
}

async function openReports({ page }: ChatPage): Promise<Locator> {
  await page.getByRole('button', { name: 'Ayarlar' }).tap()
  await page.getByRole('button', { name: /^Moderasyon/ }).tap()
  const screen = page.getByRole('dialog', { name: 'Moderasyon' })
  await screen.getByRole('button', { name: /^Şikâyetler/ }).tap()
  return screen
}

describe('reports', () => {
  journey(
    '[MODUI-04] a message of a room is reported by keyboard with a reason; an own one is not',
    async ({ desktop, speaker }) => {
      const good = await (await desktop()).openRoomAsGuest('Iyi')
      await (await speaker('Kaba')).sendMessage('Kaba sözler')
      const form = await openReportForm(good, 'Kaba sözler')
      await form.getByRole('button', { name: 'Bildir', exact: true }).press('Enter')
      await form.getByRole('alert').getByText('Bir sebep seç.').waitFor()
      await good.page.keyboard.press('Escape')
      await form.waitFor({ state: 'hidden' })
      await waitForFocus(good.page, 'Mesaj işlemleri')

      await good.sendMessage('Ayıp oluyor')
      const own = good.bubble('Ayıp oluyor', 'sent')
      await own.focus()
      await own.getByRole('button', { name: 'Mesaj işlemleri' }).press('Enter')
      expect(await good.page.getByRole('menuitem').allTextContents()).toEqual(['Yanıtla', 'Kopyala'])
    },
  )

  journey(
    '[MODUI-05] [MODUI-06] [MODUI-08] a bystander reports, a root admin decides on a phone, and the reporter alone is notified',
    async ({ site, desktop, phone, speaker }) => {
      const root = await enterAsRootAdmin(site, await phone())
      const bad = await speaker('Kaba')
      const good = await (await desktop()).enterAsMember('Iyi')
      const words = 'Kaba sözler'
      await bad.sendMessage(words)
      const form = await openReportForm(good, words)
      await form.getByRole('radio', { name: 'Hakaret' }).check()
      await form.getByLabel('Not (isteğe bağlı)').fill('Herkese böyle yazıyor.')
      await form.getByRole('button', { name: 'Bildir', exact: true }).click()
      await good.page.getByText('Mesaj bildirildi.').waitFor()
      await form.waitFor({ state: 'hidden' })

      const screen = await openReports(root)
      await screen.getByRole('button', { name: /^Kaba/ }).tap()
      await screen.getByText('Herkese böyle yazıyor.').waitFor()
      expect(await screen.getByText(words).count()).toBe(0)
      await screen.getByRole('button', { name: 'İncele' }).tap()
      await screen.locator('[data-reported=true]').getByText(words).waitFor()

      await screen.getByRole('button', { name: /^Karar ver/ }).tap()
      await root.page
        .getByRole('dialog', { name: 'Karar ver' })
        .getByRole('button', { name: /^İçeriği kaldır/ })
        .tap()
      await root.page
        .getByRole('dialog', { name: 'İçeriği kaldır' })
        .getByRole('button', { name: 'İçeriği kaldır', exact: true })
        .tap()
      const bar = screen.locator('.decision-bar')
      await bar.getByText('İçerik kaldırıldı').waitFor()
      await good.bubble(words).waitFor({ state: 'detached' })

      await good.page.getByRole('button', { name: /^Bildirimler/ }).click()
      await good.page.getByRole('tab', { name: /^Diğer/ }).click()
      await good.page.getByText('Bildirimin incelendi ve işlem yapıldı.').waitFor()

      // The reported user hears of the removal, and nothing of the report.
      const { connection } = bad
      expect(connection.receivedEvents('messageRemoved')).toHaveLength(1)
      expect(connection.receivedEvents('newNotification')).toEqual([])
      expect(await bad.fetch('/api/notifications?tab=other')).toMatchObject({ notifications: [] })
    },
  )

  journey(
    '[MODUI-07] another root admin sees new reports and decisions live, and the first decision counts',
    { tags: 'deep' },
    async ({ site, phone, speaker }) => {
      const root = await enterAsRootAdmin(site, await phone())
      const other = await enterAsRootAdmin(site, await phone(), 'Zeynep')
      const good = await speaker('Iyi')
      await sendAndReport(await speaker('Ilk'), good, 'threat')
      const [screen, otherScreen] = [await openReports(root), await openReports(other)]
      for (const one of [screen, otherScreen]) await one.getByRole('button', { name: /^Ilk/ }).waitFor()
      await sendAndReport(await speaker('Sonra'), good, 'threat')
      await otherScreen.getByRole('button', { name: '1 yeni kişi · Göster' }).tap()
      await otherScreen.getByRole('button', { name: /^Sonra/ }).waitFor()

      for (const one of [screen, otherScreen]) {
        await one.getByRole('button', { name: /^Ilk/ }).tap()
        await one.getByRole('button', { name: /^Karar ver/ }).tap()
      }
      other.errors.allow(/status of 409/)
      const nothing = ({ page }: ChatPage) =>
        page.getByRole('dialog', { name: 'Karar ver' }).getByRole('button', { name: /^İşlem gerekmiyor/ })
      await nothing(root).tap()
      await screen.getByRole('button', { name: /^Sıradaki: Sonra/ }).waitFor()
      await nothing(other).tap()
      await other.page.getByText(/zaten sonuçlandırdı/).waitFor()
      await otherScreen.getByRole('heading', { name: 'Kararlar' }).waitFor()
      await otherScreen.getByRole('button', { name: 'Geri', exact: true }).tap()
      await otherScreen.getByRole('button', { name: /^Sonra/ }).waitFor()
      expect(await otherScreen.getByRole('button', { name: /^Ilk/ }).count()).toBe(0)
    },
  )

  journey(
    '[MODUI-10] lists the users with reports of one reason',
    { tags: 'deep' },
    async ({ site, phone, speaker }) => {
      const good = await speaker('Iyi')
      await sendAndReport(await speaker('Kaba'), good, 'insult')
      await sendAndReport(await speaker('Reklam'), good, 'spam')
      const screen = await openReports(await enterAsRootAdmin(site, await phone()))
      const row = (name: string) => screen.getByRole('button', { name: new RegExp(`^${name}`) })
      await row('Kaba').waitFor()
      await screen.getByLabel('Sebep').selectOption('Spam veya reklam')
      await row('Reklam').waitFor()
      await row('Kaba').waitFor({ state: 'detached' })
      await screen.getByLabel('Sebep').selectOption('Tüm sebepler')
      await row('Kaba').waitFor()
      await row('Reklam').waitFor()
    },
  )
})
