import { join } from 'node:path'
import { describe, expect } from 'vitest'
import { giveMoney } from '../../src/server/testing/fixtures/money.ts'
import { readSiteDatabase, type Site } from '../drivers/site.ts'
import { openUserList } from '../screens/screen-steps.ts'
import type { ChatPage } from './chat-page.ts'
import { journey } from './journey.ts'
import { tabTo } from './keyboard-focus.ts'

function giveLoadedMoney(site: Site, username: string, amountKurus: number): void {
  const file = join(site.dataFolder, 'meydan.db')
  const userId = Number(readSiteDatabase(site, 'select id from user where username = ?', username))
  giveMoney(file, { userId, amountKurus })
}

const toast = ({ page }: ChatPage, text: string) => page.locator('.toast', { hasText: text }).last()
const shower = ({ page }: ChatPage, between: string) => page.locator('.gift-shower', { hasText: `${between}Gül` })

describe('a gift', () => {
  journey(
    '[GIFT-16] [GIFT-17] is given by keyboard, and seen by the recipient and a bystander',
    async ({ site, speaker, desktop, phone }) => {
      const giver = await (await desktop()).enterAsMember('Veren')
      const recipient = await speaker('Alan', { role: 'member' })
      const bystander = await (await phone({ reducedMotion: 'reduce' })).openRoomAsGuest('Seyirci')
      giveLoadedMoney(site, 'Veren', 1_500)
      giveLoadedMoney(site, 'Alan', 1_000)

      const { page } = giver
      await page.locator('.person', { hasText: 'Alan' }).click()
      const gifts = page.getByRole('region', { name: 'Hediyeler' })
      await gifts.getByText('Henüz hediye yok.').waitFor()
      await page.getByRole('button', { name: 'Diğer işlemler' }).click()
      await page.getByRole('menuitem', { name: 'Hediye gönder' }).click()
      const picker = page.getByRole('dialog', { name: 'Hediye gönder' })
      await picker.getByText('Bakiyen: 15 ₺').waitFor()
      await tabTo(page, 'Çay')
      await page.keyboard.press('ArrowRight')
      await picker.getByRole('button', { name: 'Gönder · 10 ₺' }).waitFor()

      const shown = shower(bystander, 'Veren → Alan')
      await page.keyboard.press('Enter')
      await shown.waitFor()
      expect(await shown.evaluate((card) => getComputedStyle(card).animationName)).toBe('none')
      for (const visitor of [recipient, bystander, giver]) await visitor.waitForMessage('🎁 Hediye: Gül → @Alan')
      const received = () => recipient.connection.receivedEvents('giftReceived')
      await recipient.connection.waitFor(() => received().length > 0)
      expect(received()).toMatchObject([{ senderUsername: 'Veren', name: 'Gül', amount: 7 }])
      await picker.waitFor({ state: 'detached' })
      await gifts.getByRole('img', { name: 'Gül' }).waitFor()

      // The picker says what is missing for a dearer gift.
      await gifts.getByRole('button', { name: 'Hediye gönder' }).click()
      await picker.getByText('Pasta').click()
      await picker.getByRole('button', { name: 'Bakiye Yükle' }).waitFor()
      await picker.getByRole('button', { name: 'Gönder · 40 ₺' }).click()
      await toast(giver, 'Yetersiz bakiye! 35 ₺ daha gerekiyor.').waitFor()
      await page.keyboard.press('Escape')
      await picker.waitFor({ state: 'detached' })

      // A gift for the viewer.
      const [gift] = received()
      await recipient.request('sendGift', { giftKindId: gift?.giftKindId, recipientId: gift?.senderId, roomId: 1 })
      await shower(giver, 'Alan → Veren').waitFor()
      await giver.waitForMessage('🎁 Hediye: Gül → @Veren')
      await toast(giver, 'Alan sana Gül gönderdi. Kazancın: 7 ₺').waitFor()

      await openUserList(bystander)
      await bystander.page.locator('.person', { hasText: 'Alan' }).click()
      await bystander.page.getByRole('region', { name: 'Hediyeler' }).getByRole('button').click()
      await toast(bystander, 'Hediye göndermek için üye olmalısın.').waitFor()
    },
  )
})
