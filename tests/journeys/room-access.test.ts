import { expect } from 'vitest'
import type { ChatPage } from './chat-page.ts'
import { journey } from './journey.ts'

const PASSWORD = 'açıl susam'

/** Signs in as a guest without opening a room. */
async function signInGuest({ page }: ChatPage, username: string): Promise<void> {
  const answer = await page.request.post('/api/users/guest-login', { data: { username, lastLoginPlatform: 'web' } })
  expect(answer.ok()).toBe(true)
}

async function setPassword({ page }: ChatPage): Promise<void> {
  await page.getByRole('button', { name: 'Oda Yönetimi' }).click()
  await page.getByRole('button', { name: 'Oda şifresi' }).click()
  await page.locator('dialog input[type=password]').fill(PASSWORD)
  await page.getByRole('button', { name: 'Şifre koy' }).click()
  await page.getByText('Oda şifresi kaydedildi.').waitFor()
  await page.keyboard.press('Escape')
  await page.keyboard.press('Escape')
  await page.getByRole('dialog').waitFor({ state: 'detached' })
}

journey(
  '[ENTRY-10] [ENTRY-11] [ENTRY-16] [ENTRY-17] a room with a password is entered with it, and a banned user is out and refused',
  async ({ site, desktop }) => {
    const root = await desktop()
    await root.openRoomAs('Kapıcı', await site.createRootAdmin('Kapıcı'), 2)
    await setPassword(root)
    await root.openContextMenu()
    await root.page.getByRole('menuitem', { name: 'Oda Bilgileri' }).click()
    await root.page.getByText('Şifreyi bilenler girebilir').waitFor()
    await root.page.keyboard.press('Escape')

    const guest = await desktop()
    guest.errors.allow(/status of 403/)
    await signInGuest(guest, 'Susamcı')
    await guest.page.goto('/room/2')
    const field = guest.page.getByLabel('Oda şifresi')
    await field.fill('kapan susam')
    await field.press('Enter')
    await guest.page.getByText('Oda şifresi yanlış.').waitFor()
    await field.fill(PASSWORD)
    await field.press('Enter')
    await guest.waitForRoom()

    const plain = await desktop({ javaScriptEnabled: false })
    plain.errors.allow(/status of 403/)
    await signInGuest(plain, 'Yalın')
    await plain.page.goto('/room/2')
    await plain.page.getByLabel('Oda şifresi').fill('kapan susam')
    await plain.page.getByLabel('Oda şifresi').press('Enter')
    await plain.page.getByText('Oda şifresi yanlış.').waitFor()
    await plain.page.getByLabel('Oda şifresi').fill(PASSWORD)
    await plain.page.getByLabel('Oda şifresi').press('Enter')
    await plain.page.getByRole('log').waitFor()

    await root.page.locator('.person', { hasText: 'Susamcı' }).click()
    await root.page.getByRole('button', { name: 'Diğer işlemler' }).click()
    await root.page.getByRole('menuitem', { name: 'Odadan Yasakla' }).click()
    const form = root.page.getByRole('dialog', { name: 'Odadan Yasakla' })
    await form.getByRole('button', { name: 'Yasakla', exact: true }).click()
    await root.page.getByText('Susamcı 10 dakika odadan yasaklandı.').waitFor()

    await guest.page.getByText(/^Bu odadan yasaklandın\. Sebep: Uygunsuz Mesaj\./).waitFor()
    await guest.page.getByRole('button', { name: 'Tamam' }).click()
    await guest.page.waitForURL('/room/1')
    await guest.page.goto('/room/2')
    await guest.page.getByText(/^Bu odadan yasaklandın\. Sebep: Uygunsuz Mesaj\./).waitFor()
    await guest.page.getByRole('link', { name: 'Başka odaya geç' }).click()
    await guest.page.waitForURL('/room/1')
  },
)
