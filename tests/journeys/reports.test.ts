import type { Locator } from 'playwright-core'
import { describe, expect } from 'vitest'
import { createSiteRootAdmin, type SiteProcess } from '../drivers/site-process.ts'
import type { ChatPage } from './chat-page.ts'
import { uniqueName } from './connection-fixtures.ts'
import { journey } from './journey.ts'
import { waitForFocus } from './keyboard-focus.ts'

async function enterAsRootAdmin(site: SiteProcess, visitor: ChatPage): Promise<ChatPage> {
  const username = uniqueName('Yetkin')
  return visitor.openRoomAs(username, await createSiteRootAdmin(site, username))
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

async function reportMessage(visitor: ChatPage, text: string, reason: string, note = ''): Promise<void> {
  const form = await openReportForm(visitor, text)
  await form.getByRole('radio', { name: reason }).check()
  await form.getByLabel('Not (isteğe bağlı)').fill(note)
  await form.getByRole('button', { name: 'Bildir', exact: true }).click()
  await visitor.page.getByText('Mesaj bildirildi.').waitFor()
  await form.waitFor({ state: 'hidden' })
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
    async ({ desktop }) => {
      const [badName, goodName] = [uniqueName('Kaba'), uniqueName('Iyi')]
      const bad = await (await desktop()).openRoomAsGuest(badName)
      const good = await (await desktop()).openRoomAsGuest(goodName)
      const words = `Kaba sözler ${badName}`
      await bad.sendMessage(words)
      await good.waitForMessage(words)

      const form = await openReportForm(good, words)
      await form.getByRole('button', { name: 'Bildir', exact: true }).press('Enter')
      await form.getByRole('alert').getByText('Bir sebep seç.').waitFor()
      await good.page.keyboard.press('Escape')
      await form.waitFor({ state: 'hidden' })
      await waitForFocus(good.page, 'Mesaj işlemleri')

      await bad.bubble(words).focus()
      await bad.bubble(words).getByRole('button', { name: 'Mesaj işlemleri' }).press('Enter')
      expect(await bad.page.getByRole('menuitem').allTextContents()).toEqual(['Yanıtla', 'Kopyala'])
    },
  )

  journey(
    '[MODUI-05] [MODUI-06] [MODUI-08] a bystander reports, a root admin decides on a phone and undoes it, and the reporter alone is notified',
    async ({ site, desktop, phone }) => {
      const [badName, goodName] = [uniqueName('Kaba'), uniqueName('Iyi')]
      const root = await enterAsRootAdmin(site, await phone())
      const bad = await (await desktop()).openRoomAsGuest(badName)
      const good = await (await desktop()).enterAsMember(goodName)
      const words = `Kaba sözler ${badName}`
      await bad.sendMessage(words)
      await good.waitForMessage(words)
      await reportMessage(good, words, 'Hakaret', 'Herkese böyle yazıyor.')

      const screen = await openReports(root)
      await screen.getByRole('button', { name: new RegExp(`^${badName}`) }).tap()
      await screen.getByText('Herkese böyle yazıyor.').waitFor()
      await screen.getByText('ilk bildirimi').waitFor()
      expect(await screen.getByText(words).count()).toBe(0)
      await screen.getByRole('button', { name: 'İncele' }).tap()
      await screen.locator('[data-reported=true]').getByText(words).waitFor()
      await screen.getByRole('button', { name: 'Üstlen' }).tap()
      await screen.locator('.report-head').getByText('Sende').waitFor()

      await screen.getByRole('button', { name: /^Karar ver/ }).tap()
      await root.page
        .getByRole('dialog', { name: 'Karar ver' })
        .getByRole('button', { name: /^İçeriği kaldır/ })
        .tap()
      const bar = screen.locator('.decision-bar')
      await bar.getByText('İçerik kaldırıldı').waitFor()
      await good.bubble(words).waitFor({ state: 'detached' })

      await good.page.getByRole('button', { name: /^Bildirimler/ }).click()
      await good.page.getByRole('tab', { name: /^Diğer/ }).click()
      await good.page.getByText('Bildirimin incelendi ve işlem yapıldı.').waitFor()
      // The reported user sees the removal, and hears nothing of the report.
      await bad.page.getByRole('button', { name: /^Bildirimler/ }).click()
      await bad.page.getByRole('tab', { name: /^Diğer/ }).click()
      await bad.page.getByText('Henüz başka bildirimin yok.').waitFor()

      await bar.getByRole('button', { name: 'Geri al' }).tap()
      await root.page.getByText('Karar geri alındı.').waitFor()
      await good.waitForMessage(words)
      await screen.getByRole('button', { name: /^Karar ver/ }).waitFor()
    },
  )

  journey(
    '[MODUI-07] another root admin sees new reports and decisions live, and the first decision counts',
    async ({ site, desktop, phone }) => {
      const [firstName, secondName] = [uniqueName('Ilk'), uniqueName('Sonra')]
      const root = await enterAsRootAdmin(site, await phone())
      const other = await enterAsRootAdmin(site, await phone())
      const good = await (await desktop()).openRoomAsGuest(uniqueName('Iyi'))
      const wordsOf = (name: string) => `Sözleri ${name}`
      for (const name of [firstName, secondName]) {
        const bad = await (await desktop()).openRoomAsGuest(name)
        await bad.sendMessage(wordsOf(name))
        await good.waitForMessage(wordsOf(name))
      }
      await reportMessage(good, wordsOf(firstName), 'Tehdit')

      const [screen, otherScreen] = [await openReports(root), await openReports(other)]
      for (const one of [screen, otherScreen])
        await one.getByRole('button', { name: new RegExp(`^${firstName}`) }).waitFor()
      await reportMessage(good, wordsOf(secondName), 'Tehdit')
      await otherScreen.getByRole('button', { name: '1 yeni kişi · Göster' }).tap()
      await otherScreen.getByRole('button', { name: new RegExp(`^${secondName}`) }).waitFor()

      for (const one of [screen, otherScreen]) {
        await one.getByRole('button', { name: new RegExp(`^${firstName}`) }).tap()
        await one.getByRole('button', { name: /^Karar ver/ }).tap()
      }
      other.errors.allow(/status of 409/)
      const nothing = ({ page }: ChatPage) =>
        page.getByRole('dialog', { name: 'Karar ver' }).getByRole('button', { name: /^İşlem gerekmiyor/ })
      await nothing(root).tap()
      // Another journey may have left an open report, which may come first.
      await screen.getByRole('button', { name: /^Sıradaki: / }).waitFor()
      await nothing(other).tap()
      await other.page.getByText(/zaten sonuçlandırdı/).waitFor()
      await otherScreen.getByRole('heading', { name: 'Kararlar' }).waitFor()
      await otherScreen.getByRole('button', { name: 'Geri', exact: true }).tap()
      await otherScreen.getByRole('button', { name: new RegExp(`^${secondName}`) }).waitFor()
      expect(await otherScreen.getByRole('button', { name: new RegExp(`^${firstName}`) }).count()).toBe(0)
    },
  )

  journey('[MODUI-10] lists the users with reports of one reason', async ({ site, desktop, phone }) => {
    const [rudeName, spamName] = [uniqueName('Kaba'), uniqueName('Reklam')]
    const good = await (await desktop()).openRoomAsGuest(uniqueName('Iyi'))
    for (const [name, reason] of [
      [rudeName, 'Hakaret'],
      [spamName, 'Spam'],
    ] as const) {
      const words = `Sözleri ${name}`
      await (await (await desktop()).openRoomAsGuest(name)).sendMessage(words)
      await good.waitForMessage(words)
      await reportMessage(good, words, reason)
    }
    const screen = await openReports(await enterAsRootAdmin(site, await phone()))
    const row = (name: string) => screen.getByRole('button', { name: new RegExp(`^${name}`) })
    await row(rudeName).waitFor()
    await screen.getByLabel('Sebep').selectOption('Spam veya reklam')
    await row(spamName).waitFor()
    await row(rudeName).waitFor({ state: 'detached' })
    await screen.getByLabel('Sebep').selectOption('Tüm sebepler')
    await row(rudeName).waitFor()
    await row(spamName).waitFor()
  })
})
