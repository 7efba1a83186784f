import { describe, expect } from 'vitest'
import type { Site } from '../drivers/site.ts'
import type { ChatPage } from './chat-page.ts'
import { journey } from './journey.ts'
import { focusedName, waitForFocus } from './keyboard-focus.ts'

async function enterAsRootAdmin(site: Site, visitor: ChatPage): Promise<ChatPage> {
  return visitor.openRoomAs('Yetkin', await site.createRootAdmin('Yetkin'))
}

describe("'Moderasyon'", () => {
  journey(
    '[MODUI-01] [MODUI-02] opens from the settings of a phone, one section at a time',
    async ({ site, phone }) => {
      const guest = await (await phone()).openRoomAsGuest('Lale')
      await guest.page.getByRole('button', { name: 'Ayarlar' }).tap()
      await guest.page.getByRole('dialog', { name: 'Ayarlar' }).getByRole('button', { name: 'Genel' }).waitFor()
      expect(await guest.page.getByRole('button', { name: 'Moderasyon' }).count()).toBe(0)

      const { page } = await enterAsRootAdmin(site, await phone())
      await page.getByRole('button', { name: 'Ayarlar' }).tap()
      await page.getByRole('button', { name: 'Moderasyon' }).tap()
      const screen = page.getByRole('dialog', { name: 'Moderasyon' })
      const heading = (name: string) => screen.getByRole('heading', { name, exact: true })
      for (const leave of [
        () => page.keyboard.press('Escape'),
        () => page.goBack(),
        () => screen.getByRole('button', { name: 'Geri' }).tap(),
      ]) {
        await screen.getByRole('button', { name: 'Yasaklar', exact: true }).tap()
        await heading('Yasaklar').waitFor()
        await screen.getByText('Yasaklı kullanıcı yok.').waitFor()
        expect(await screen.getByRole('navigation').count()).toBe(0)
        await leave()
        await heading('Moderasyon').waitFor()
        await waitForFocus(page, 'Yasaklar')
      }
      await page.goBack()
      await screen.waitFor({ state: 'hidden' })
      expect(await page.getByRole('dialog', { name: 'Ayarlar' }).isVisible()).toBe(true)
    },
  )

  journey('[MODUI-01] [MODUI-03] has its sections beside the open one on a desktop', async ({ site, desktop }) => {
    const guest = await (await desktop()).openRoomAsGuest('Lale')
    await guest.openContextMenu()
    expect(await guest.page.getByRole('menuitem', { name: 'Moderasyon' }).count()).toBe(0)

    const root = await enterAsRootAdmin(site, await desktop())
    await root.openContextMenu()
    await root.page.getByRole('menuitem', { name: 'Moderasyon' }).click()
    const screen = root.page.getByRole('dialog', { name: 'Moderasyon' })
    const rows = screen.getByRole('navigation', { name: 'Bölümler' }).getByRole('button')
    await expect.poll(() => rows.first().getAttribute('aria-current')).toBe('page')
    await rows.last().click()
    await expect.poll(() => rows.last().getAttribute('aria-current')).toBe('page')
    expect(await focusedName(root.page)).not.toBe('')
    await root.page.keyboard.press('Escape')
    await screen.waitFor({ state: 'hidden' })
  })
})
