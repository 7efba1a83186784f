// @module-tag deep
import { describe, expect } from 'vitest'
import type { Site } from '../drivers/site.ts'
import type { ChatPage } from './chat-page.ts'
import { journey } from './journey.ts'

async function enterAsRootAdmin(site: Site, visitor: ChatPage): Promise<ChatPage> {
  return visitor.openRoomAs('Yetkin', await site.createRootAdmin('Yetkin'))
}

/** Chooses an action in the menu of a user's profile, opened from the list of people. */
async function chooseForPerson({ page }: ChatPage, username: string, label: string): Promise<void> {
  await page.locator('.person', { hasText: username }).click()
  await page.getByRole('dialog', { name: 'Profil' }).waitFor()
  await page.getByRole('button', { name: 'Diğer işlemler' }).click()
  await page.getByRole('menuitem', { name: label, exact: true }).click()
}

describe('a root admin', () => {
  journey(
    '[SANCTION-02] [SANCTION-03] warns a guest, who goes on only after confirming, on every tab and after a reload',
    async ({ site, desktop, phone, speaker }) => {
      const root = await enterAsRootAdmin(site, await desktop())
      const name = 'Uyarılan'
      const guest = await (await phone()).openRoomAsGuest(name)
      const bystander = await speaker('Komşu')
      await chooseForPerson(root, name, 'Uyar')
      const form = root.page.getByRole('dialog', { name: 'Uyar' })
      await form.getByRole('button', { name: /^Diğer kullanıcılara hakaret etme/ }).click()
      await form.getByRole('button', { name: 'Uyar', exact: true }).click()
      await root.page.getByText(`${name} uyarıldı.`).waitFor()

      const popup = guest.page.getByRole('alertdialog', { name: 'Uyarı' })
      await popup.getByText(/^Diğer kullanıcılara hakaret etme/).waitFor()
      await guest.page.keyboard.press('Escape')
      await guest.page.keyboard.press('Escape')
      expect(await popup.isVisible()).toBe(true)
      await guest.page.reload()
      await popup.waitFor()
      await popup.getByRole('button', { name: 'Okudum, anladım' }).click()
      await popup.waitFor({ state: 'detached' })
      await guest.page.reload()
      await guest.waitForRoom()
      await guest.sendMessage('Özür dilerim')
      await bystander.waitForMessage('Özür dilerim')
      expect(await popup.count()).toBe(0)
      const warnings = ['ownSanctions', 'newWarning', 'warningClosed']
      expect(bystander.connection.events.filter((event) => warnings.includes(event.name))).toEqual([])
    },
  )

  journey(
    '[SANCTION-06] [SANCTION-07] [SANCTION-09] mutes a guest, whose composer says why and until when, and lifts it',
    async ({ site, desktop, phone }) => {
      const root = await enterAsRootAdmin(site, await desktop())
      const name = 'Susan'
      const guest = await (await phone()).openRoomAsGuest(name)
      await chooseForPerson(root, name, 'Sustur')
      const form = root.page.getByRole('dialog', { name: 'Sustur' })
      await form.getByText('1 Saat').click()
      await form.getByText('Spam veya reklam').click()
      await form.getByRole('button', { name: 'Sustur', exact: true }).click()
      await root.page.getByText(`${name} 1 saat susturuldu.`).waitFor()

      const notice = guest.page.getByRole('status').getByText(/^Susturuldun\. Sebep: Spam veya reklam\. Bitiş: /)
      await notice.waitFor()
      await guest.page
        .getByText(/^(60|59|58) dk$/)
        .first()
        .waitFor()
      expect(await guest.composer.isDisabled()).toBe(true)
      expect(await guest.composer.getAttribute('placeholder')).toBe('Susturuldun')
      await guest.page.reload()
      await notice.waitFor()
      await guest.page.waitForFunction(() => document.querySelector<HTMLTextAreaElement>('.composer-field')?.disabled)

      await root.page.keyboard.press('Escape')
      await root.page.getByRole('dialog').waitFor({ state: 'hidden' })
      await root.openContextMenu()
      await root.page.getByRole('menuitem', { name: 'Moderasyon' }).click()
      await root.page.getByRole('button', { name: 'Susturmalar' }).click()
      await root.page.getByText(/^Tüm site · Spam veya reklam · /).waitFor()
      await root.page.getByRole('button', { name: `Susturmayı Kaldır: ${name}` }).click()
      await root.page.getByText('Susturulmuş kullanıcı yok.').waitFor()
      await notice.waitFor({ state: 'detached' })
      await root.page.keyboard.press('Escape')
      await guest.sendMessage('Yine buradayım')
      await root.waitForMessage('Yine buradayım')
    },
  )

  journey(
    '[SANCTION-10] [SANCTION-11] [SANCTION-13] removes a message from its menu on a phone, for everybody in place, and brings it back',
    async ({ site, desktop, phone }) => {
      const root = await enterAsRootAdmin(site, await desktop())
      const guest = await (await phone()).openRoomAsGuest('Konuşan')
      const words = 'Kaba söz'
      await guest.sendMessage(words)
      await root.waitForMessage(words)
      await root.bubble(words).hover()
      await root.bubble(words).getByRole('button', { name: 'Mesaj işlemleri' }).click()
      await root.page.getByRole('menuitem', { name: 'Mesajı kaldır' }).click()
      await root.page.getByRole('dialog', { name: 'Mesajı kaldır' }).getByRole('button', { name: 'Kaldır' }).click()
      for (const { page } of [root, guest]) {
        await page.getByText(words).waitFor({ state: 'detached' })
        await page.getByText('Bu mesaj kaldırıldı').last().waitFor()
      }
      await guest.page.reload()
      await guest.waitForRoom()
      await guest.page.getByText('Bu mesaj kaldırıldı').last().waitFor()
      expect(await guest.page.getByText(words).count()).toBe(0)

      const removed = root.page.locator('.bubble-row', { hasText: 'Bu mesaj kaldırıldı' }).last()
      await removed.hover()
      await removed.getByRole('button', { name: 'Mesaj işlemleri' }).click()
      expect(await root.page.getByRole('menuitem', { name: 'Yanıtla' }).count()).toBe(0)
      await root.page.getByRole('menuitem', { name: 'Mesajı geri getir' }).click()
      const dialog = root.page.getByRole('dialog', { name: 'Mesajı geri getir' })
      await dialog.getByText(words).waitFor()
      await dialog.getByRole('button', { name: 'Geri getir' }).click()
      await guest.waitForMessage(words)
      await root.waitForMessage(words)
    },
  )

  journey('[MANAGE-06] sets slow mode in any room from a phone', async ({ site, phone }) => {
    const root = await enterAsRootAdmin(site, await phone())
    const { page } = root
    await page.goto('/room/3')
    await root.waitForRoom()
    await page.getByRole('button', { name: 'Ayarlar' }).click()
    await page.getByRole('button', { name: 'Oda Yönetimi' }).click()
    await page.getByRole('button', { name: 'Yavaş mod' }).click()
    await page.getByText('10 sn').click()
    await page.getByRole('button', { name: 'Geri' }).click()
    await page.getByRole('button', { name: /^Yavaş mod.*10 sn/ }).waitFor()
  })
})
