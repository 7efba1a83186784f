import { describe } from 'vitest'
import type { Site } from '../drivers/site.ts'
import type { ChatPage } from './chat-page.ts'
import { journey } from './journey.ts'
import { tabTo, waitForFocus } from './keyboard-focus.ts'

async function openOptions(site: Site, visitor: ChatPage, name: string) {
  await visitor.openRoomAs(name, await site.createRootAdmin(name))
  await visitor.openSideMenu()
  await visitor.sideMenuEntry('Seçenekler').click()
  const screen = visitor.page.getByRole('dialog', { name: 'Seçenekler' })
  await screen.getByText('25 Kişi').waitFor()
  return screen
}

describe("'Seçenekler'", () => {
  journey(
    '[OPTION-10] is edited by keyboard, and each change is shown to another root admin',
    async ({ site, desktop, phone }) => {
      const editor = await desktop()
      const screen = await openOptions(site, editor, 'Yönetici')
      const seen = await openOptions(site, await phone(), 'Kurucu')

      const { keyboard } = editor.page
      await tabTo(editor.page, 'Düzenle: 25 Kişi')
      await keyboard.press('Enter')
      await waitForFocus(editor.page, 'Kişi')
      await keyboard.press('Tab')
      await keyboard.type('0')
      await keyboard.press('Enter')
      await screen.getByText(/^Fiyat \(₺\) 1 ile/).waitFor()
      await keyboard.press('ControlOrMeta+a')
      await keyboard.type('120')
      await keyboard.press('Enter')
      await seen.getByText('120 ₺').waitFor()
      await waitForFocus(editor.page, 'Düzenle: 25 Kişi')

      await tabTo(editor.page, 'Sil: 12 Ay')
      await keyboard.press('Enter')
      await waitForFocus(editor.page, 'Vazgeç')
      await keyboard.press('Tab')
      await keyboard.press('Enter')
      await seen.getByText('12 Ay').waitFor({ state: 'detached' })
      await waitForFocus(editor.page, 'Seçenek ekle')

      await seen.getByLabel('Süre (gün)').fill('31')
      await screen.getByLabel('Ücret (₺)').fill('75')
      await seen.getByRole('region', { name: 'Premium' }).getByRole('button', { name: 'Kaydet' }).click()
      await screen.getByText('Bu sırada başka bir yönetici değiştirdi.').waitFor()
      await keyboard.press('Escape')
      await screen.waitFor({ state: 'hidden' })
    },
  )
})
