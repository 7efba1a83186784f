import { describe, expect } from 'vitest'
import { MEMBER_PASSWORD } from '../drivers/live-connection.ts'
import type { Site } from '../drivers/site.ts'
import type { ChatPage } from './chat-page.ts'
import { journey } from './journey.ts'

async function enterAsRootAdmin(site: Site, visitor: ChatPage): Promise<ChatPage> {
  return visitor.openRoomAs('Yetkin', await site.createRootAdmin('Yetkin'))
}

/** Opens the menu of a user's profile from the list of people. */
async function openProfileMenu({ page }: ChatPage, username: string): Promise<void> {
  await page.locator('.person', { hasText: username }).click()
  await page.getByRole('dialog', { name: 'Profil' }).waitFor()
  await page.getByRole('button', { name: 'Diğer işlemler' }).click()
}

describe('a root admin', () => {
  journey(
    '[MOD-03] [MOD-10] [MOD-14] [MOD-17] [MOD-20] bans a user, whose sessions and messages are gone until the ban is lifted',
    async ({ site, speaker, desktop }) => {
      const root = await enterAsRootAdmin(site, await desktop())
      const bad = await (await desktop()).openRoomAsGuest('Kaba')
      const good = await speaker('Papatya')
      bad.errors.allow(/status of 403/)
      await bad.sendMessage('Kötü sözler')
      await good.waitForMessage('Kötü sözler')
      await root.waitForMessage('Kötü sözler')

      await openProfileMenu(root, 'Kaba')
      await root.page.getByRole('menuitem', { name: 'Siteden Yasakla' }).click()
      const form = root.page.getByRole('dialog', { name: 'Siteden Yasakla' })
      await form.waitFor()
      expect(await form.getByRole('radio', { name: '10 Dakika' }).isChecked()).toBe(true)
      expect(await form.getByRole('radio', { name: 'Uygunsuz Mesaj' }).isChecked()).toBe(true)
      await form.getByText('1 Saat').click()
      await form.getByRole('button', { name: 'Yasakla', exact: true }).click()
      await root.page.getByText('Kaba 1 saat siteden yasaklandı.').waitFor()

      await bad.page.waitForURL((url) => url.pathname === '/')
      const notice = bad.page.getByRole('alert').getByText(/^Siteden yasaklandın\. Sebep: Uygunsuz Mesaj\. Bitiş: /)
      await notice.waitFor()
      const { connection } = good
      for (const name of ['removeBannedMessages', 'user-left'] as const)
        await connection.waitFor(() => connection.receivedEvents(name).some(({ username }) => username === 'Kaba'))
      await root.bubble('Kötü sözler').waitFor({ state: 'detached' })

      // Neither an old URL nor a new name gets in.
      await bad.page.goto('/room/1')
      await bad.page.getByRole('heading', { name: 'Siteden yasaklandın.' }).waitFor()
      await bad.page.goto('/')
      await bad.nameField.fill('Başkası')
      await bad.nameField.press('Enter')
      await bad.page
        .getByText(/^Siteden yasaklandın\./)
        .first()
        .waitFor()
      await good.sendMessage('Ben buradayım')
      await root.waitForMessage('Ben buradayım')
      for (const name of ['systemBannedNotification', 'forceDisconnect'] as const)
        expect(connection.receivedEvents(name)).toEqual([])

      // The open profile shows the ban and offers to lift it.
      await root.page.getByText(/^Son görülme: /).waitFor()
      await root.page.getByRole('button', { name: 'Diğer işlemler' }).click()
      await root.page.getByRole('menuitem', { name: 'Ban Kaldır' }).waitFor()
      await root.page.keyboard.press('Escape')
      await root.page.keyboard.press('Escape')
      await root.page.getByRole('dialog').waitFor({ state: 'hidden' })
      await root.openContextMenu()
      await root.page.getByRole('menuitem', { name: 'Moderasyon' }).click()
      await root.page.getByRole('button', { name: 'Yasaklar', exact: true }).click()
      await root.page.getByRole('button', { name: 'Kaba', exact: true }).click()
      await root.page
        .getByRole('dialog', { name: 'Profil' })
        .getByText(/^Son görülme: /)
        .waitFor()
      await root.page.keyboard.press('Escape')
      await root.page.getByRole('button', { name: 'Ban Kaldır: Kaba' }).click()
      await root.page.getByText('Yasaklı kullanıcı yok.').waitFor()
      await bad.enterAsGuest('Uslu')
    },
  )

  journey(
    '[GHOST-08] [GHOST-10] ghost-bans a guest, who goes on as before, and lifts it',
    async ({ site, speaker, desktop, phone }) => {
      const root = await enterAsRootAdmin(site, await desktop())
      const bad = await (await phone()).openRoomAsGuest('Perde')
      const good = await speaker('Papatya')
      await bad.sendMessage('Önceki söz')
      for (const each of [good, root]) await each.waitForMessage('Önceki söz')

      await openProfileMenu(root, 'Perde')
      await root.page.getByRole('menuitem', { name: 'Ghost Ban' }).click()
      const form = root.page.getByRole('dialog', { name: 'Ghost Ban' })
      expect(await form.getByRole('radio').count()).toBe(3)
      await form.getByText('1 Saat').click()
      await form.getByRole('button', { name: 'Yasakla', exact: true }).click()
      await root.page.getByText('Perde 1 saat ghost banlandı.').waitFor()

      await bad.sendMessage('Gizli söz')
      // The mark is part of the bubble's text.
      await root.waitForMessage('Hayalet · Gizli söz')
      await good.sendMessage('Araya giren')
      await bad.waitForMessage('Araya giren')
      await bad.page.reload()
      for (const text of ['Önceki söz', 'Gizli söz']) await bad.waitForMessage(text)
      expect(await bad.page.getByText('Hayalet').count()).toBe(0)
      const { messages } = await good.request('getMessages', { roomId: 1 })
      expect(messages.map(({ content }) => content)).toEqual(['Önceki söz', 'Araya giren'])

      await root.page.getByRole('button', { name: 'Diğer işlemler' }).click()
      await root.page.getByRole('menuitem', { name: 'Ban Kaldır' }).click()
      await root.page.getByText('Perde kullanıcısının yasağı kaldırıldı.').waitFor()
      await bad.sendMessage('Sonraki söz')
      await good.waitForMessage('Sonraki söz')
      const received = good.connection.receivedEvents('message').map(({ content }) => content)
      expect(received).toEqual(['Önceki söz', 'Araya giren', 'Sonraki söz'])
    },
  )

  journey(
    '[MOD-03] [MOD-17] bans a member on a phone, who reads the reason and is logged out to the landing page',
    { tags: 'deep' },
    async ({ site, desktop, phone }) => {
      const root = await enterAsRootAdmin(site, await desktop())
      const member = await (await phone()).enterAsMember('Sevilmeyen')
      for (const failure of [/status of 403/, /status of 401/]) member.errors.allow(failure)
      await openProfileMenu(root, 'Sevilmeyen')
      await root.page.getByRole('menuitem', { name: 'Siteden Yasakla' }).click()
      const form = root.page.getByRole('dialog', { name: 'Siteden Yasakla' })
      await form.getByText('Süresiz Yasakla').click()
      await form.getByRole('button', { name: 'Yasakla', exact: true }).click()

      await member.page.waitForURL((url) => url.pathname === '/')
      await member.page
        .getByRole('alert')
        .getByText('Siteden süresiz olarak yasaklandın. Sebep: Uygunsuz Mesaj.')
        .waitFor()
      expect(await member.page.getByText('olarak devam et').count()).toBe(0)
      expect(
        await member.page.evaluate(() => [localStorage.getItem('username'), localStorage.getItem('token')]),
      ).toEqual([null, null])
      await member.page.getByText('Üye misin?').click()
      await member.page.getByLabel('Kullanıcı adı').fill('Sevilmeyen')
      await member.page.getByLabel('Şifre').fill(MEMBER_PASSWORD)
      await member.page.getByLabel('Şifre').press('Enter')
      await member.page
        .getByText(/^Siteden süresiz olarak yasaklandın\./)
        .first()
        .waitFor()
    },
  )

  journey(
    '[MOD-11] [MOD-21] clears a room after a confirmation, and everybody sees it empty',
    async ({ site, desktop }) => {
      const root = await enterAsRootAdmin(site, await desktop())
      const guest = await (await desktop()).openRoomAsGuest('Lale')
      await root.sendMessage('Silinecek sözler')
      await guest.waitForMessage('Silinecek sözler')

      await guest.openContextMenu()
      expect(await guest.page.getByRole('menuitem', { name: 'Oda Mesajlarını Temizle' }).count()).toBe(0)
      await guest.page.keyboard.press('Escape')
      const ask = async () => {
        await root.openContextMenu()
        await root.page.getByRole('menuitem', { name: 'Oda Mesajlarını Temizle' }).click()
        return root.page.getByRole('dialog', { name: 'Oda Mesajlarını Temizle' })
      }
      await (await ask()).getByRole('button', { name: 'Vazgeç' }).click()
      await root.page.getByRole('dialog').waitFor({ state: 'hidden' })
      expect(await guest.bubble('Silinecek sözler').count()).toBe(1)

      await (await ask()).getByRole('button', { name: 'Temizle', exact: true }).click()
      await guest.bubble('Silinecek sözler').waitFor({ state: 'detached' })
      await root.bubble('Silinecek sözler').waitFor({ state: 'detached' })
      await guest.page.reload()
      await guest.waitForRoom()
      expect(await guest.bubble('Silinecek sözler').count()).toBe(0)
      await root.sendMessage('Temiz sayfa')
      await guest.waitForMessage('Temiz sayfa')
    },
  )
})
