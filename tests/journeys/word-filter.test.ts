import { describe, expect } from 'vitest'
import { CloseCode } from '../../src/shared/protocol/frame.ts'
import type { Site } from '../drivers/site.ts'
import type { ChatPage } from './chat-page.ts'
import { heardOn } from './connection-fixtures.ts'
import { journey } from './journey.ts'

async function enterAsRootAdmin(site: Site, visitor: ChatPage): Promise<ChatPage> {
  return visitor.openRoomAs('Yetkin', await site.createRootAdmin('Yetkin'))
}

describe("'Kelime Filtresi'", () => {
  journey(
    '[FILTER-05] [FILTER-07] [FILTER-09] holds a message back on a phone until a root admin sends it',
    { tags: 'deep' },
    async ({ site, desktop, phone, speaker }) => {
      const { page } = await enterAsRootAdmin(site, await phone())
      await page.getByRole('button', { name: 'Ayarlar' }).tap()
      await page.getByRole('button', { name: 'Moderasyon' }).tap()
      const screen = page.getByRole('dialog', { name: 'Moderasyon' })
      await screen.getByRole('button', { name: /^Kelime Filtresi/ }).tap()
      await screen.getByRole('button', { name: 'Söz ekle' }).tap()
      await screen.getByLabel('Sözler (her satıra bir tane').fill('sakıncalı')
      await screen.getByText('Beklet', { exact: true }).tap()
      await screen.getByRole('button', { name: 'Ekle', exact: true }).tap()
      await screen.getByRole('button', { name: 'Düzenle: sakıncalı' }).waitFor()

      const sender = await (await desktop()).openRoomAsGuest('Lale')
      const other = await speaker('Papatya')
      const text = 'Bu sakıncalılar ne güzel'
      await sender.sendMessage(text)
      await sender.page.getByText('Mesajın incelemeye alındı').first().waitFor()

      await screen.getByRole('tab', { name: /^Bekleyen/ }).tap()
      const held = screen.getByRole('listitem').filter({ hasText: 'sakıncalı' })
      await held.waitFor()
      await other.sendMessage('Ben bir şey duymadım')
      await other.waitForMessage('Ben bir şey duymadım')
      expect(heardOn(other.connection)).toEqual(['Ben bir şey duymadım'])
      await held.getByRole('button', { name: 'Gönder' }).tap()
      await other.waitForMessage(text)
      await held.waitFor({ state: 'detached' })
      await expect.poll(() => sender.page.locator('.thread').getByText(text).count()).toBe(1)
    },
  )
})

describe("'Bağlı Hesaplar'", () => {
  journey('[FILTER-21] looks up the user of a profile', async ({ site, desktop, speaker }) => {
    await speaker('Nergis')
    const { page } = await enterAsRootAdmin(site, await desktop())
    await page.goto('/room/1?profil=Nergis')
    await page
      .getByRole('dialog', { name: 'Profil', exact: true })
      .getByRole('button', { name: 'Diğer işlemler' })
      .click()
    await page.getByRole('menuitem', { name: 'Bağlı Hesaplar' }).click()
    const screen = page.getByRole('dialog', { name: 'Moderasyon' })
    await screen.getByRole('heading', { name: 'Bağlı Hesaplar' }).waitFor()
    await screen.getByRole('status').getByRole('button', { name: 'Nergis', exact: true }).waitFor()
    expect(await screen.getByLabel('Kullanıcı adı').inputValue()).toBe('Nergis')
  })

  journey(
    "[FILTER-16] [FILTER-19] is reached from 'Yasaklar'; a member is banned with the browser, and the browser freed",
    { tags: 'deep' },
    async ({ site, desktop, speaker }) => {
      const { connection } = await speaker('Zambak', { role: 'member' })
      const root = await enterAsRootAdmin(site, await desktop())
      await root.openContextMenu()
      await root.page.getByRole('menuitem', { name: 'Moderasyon' }).click()
      const screen = root.page.getByRole('dialog', { name: 'Moderasyon' })
      await screen.getByRole('button', { name: 'Yasaklar', exact: true }).click()
      await screen.getByRole('button', { name: 'Tarayıcı ve adres yasakları' }).click()
      await screen.getByRole('heading', { name: 'Bağlı Hesaplar' }).waitFor()
      await screen.getByLabel('Kullanıcı adı').fill('Zambak')
      await screen.getByRole('button', { name: 'Ara', exact: true }).click()
      await screen
        .getByText(/1 tarayıcı/)
        .first()
        .waitFor()

      await screen.getByRole('button', { name: 'Tarayıcı veya adresi yasakla' }).click()
      const form = root.page.getByRole('dialog', { name: 'Tarayıcı veya adresi yasakla' })
      await form.getByRole('button', { name: 'Yasakla', exact: true }).click()
      expect(await connection.closed).toBe(CloseCode.banned)
      expect(connection.receivedEvents('systemBannedNotification')).toHaveLength(1)
      await form.waitFor({ state: 'detached' })
      const lift = screen.getByRole('button', { name: 'Tarayıcı yasağını kaldır: Zambak' })
      await lift.click()
      await lift.waitFor({ state: 'detached' })
    },
  )
})
