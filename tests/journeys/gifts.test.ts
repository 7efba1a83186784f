import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { describe, expect } from 'vitest'
import { giveMoney } from '../../src/server/testing/fixtures/money.ts'
import type { SiteProcess } from '../drivers/site-process.ts'
import type { ChatPage } from './chat-page.ts'
import { uniqueName } from './connection-fixtures.ts'
import { journey } from './journey.ts'
import { tabTo } from './keyboard-focus.ts'

function giveLoadedMoney(site: SiteProcess, username: string, amountKurus: number): void {
  const file = join(site.dataFolder, 'meydan.db')
  const db = new Sqlite(file, { readonly: true })
  const userId = Number(db.prepare('select id from user where username = ?').pluck().get(username))
  db.close()
  giveMoney(file, { userId, amountKurus })
}

const toast = ({ page }: ChatPage, text: string) => page.locator('.toast', { hasText: text }).last()
const shower = ({ page }: ChatPage) => page.locator('.gift-shower', { hasText: 'Gül' })

describe('a gift', () => {
  journey(
    '[GIFT-16] [GIFT-17] is given by keyboard, and seen by the recipient and a bystander',
    async ({ site, desktop, phone }) => {
      const [from, to] = [uniqueName('Veren'), uniqueName('Alan')]
      const giver = await (await desktop()).enterAsMember(from)
      const recipient = await (await phone()).enterAsMember(to)
      const bystander = await (await desktop({ reducedMotion: 'reduce' })).openRoomAsGuest(uniqueName('Seyirci'))
      giveLoadedMoney(site, from, 1_500)

      const { page } = giver
      await page.locator('.person', { hasText: to }).click()
      const gifts = page.getByRole('region', { name: 'Hediyeler' })
      await gifts.getByText('Henüz hediye yok.').waitFor()
      await page.getByRole('button', { name: 'Diğer işlemler' }).click()
      await page.getByRole('menuitem', { name: 'Hediye gönder' }).click()
      const picker = page.getByRole('dialog', { name: 'Hediye gönder' })
      await picker.getByText('Bakiyen: 15 ₺').waitFor()
      await tabTo(page, 'Çay')
      await page.keyboard.press('ArrowRight')
      await picker.getByRole('button', { name: 'Gönder · 10 ₺' }).waitFor()

      const shown = Promise.all([recipient, bystander].map((visitor) => shower(visitor).waitFor()))
      await page.keyboard.press('Enter')
      await shown
      const line = `🎁 Hediye: Gül → @${to}`
      for (const visitor of [recipient, bystander, giver]) await visitor.waitForMessage(line)
      await toast(recipient, `${from} sana Gül gönderdi. Kazancın: 7 ₺`).waitFor()
      await picker.waitFor({ state: 'detached' })
      await gifts.getByRole('img', { name: 'Gül' }).waitFor()
      expect(await shower(bystander).evaluate((card) => getComputedStyle(card).animationName)).toBe('none')

      // The picker says what is missing for a dearer gift.
      await gifts.getByRole('button', { name: 'Hediye gönder' }).click()
      await picker.getByText('Pasta').click()
      await picker.getByRole('button', { name: 'Bakiye Yükle' }).waitFor()
      await picker.getByRole('button', { name: 'Gönder · 40 ₺' }).click()
      await toast(giver, 'Yetersiz bakiye! 35 ₺ daha gerekiyor.').waitFor()
      await page.keyboard.press('Escape')
      await picker.waitFor({ state: 'detached' })

      await bystander.page.locator('.person', { hasText: to }).click()
      await bystander.page.getByRole('region', { name: 'Hediyeler' }).getByRole('button').click()
      await toast(bystander, 'Hediye göndermek için üye olmalısın.').waitFor()
    },
  )
})
