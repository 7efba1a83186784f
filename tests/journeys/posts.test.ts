import type { Locator } from 'playwright-core'
import { describe, expect } from 'vitest'
import { createTestPhoto } from '../fixtures/test-photo.ts'
import { choosePostOption } from '../screens/post-screens.ts'
import type { ChatPage } from './chat-page.ts'
import { uniqueName } from './connection-fixtures.ts'
import { journey } from './journey.ts'
import { updateSiteDatabase } from './user-list-fixtures.ts'

const posts = (scope: ChatPage['page'] | Locator): Locator => scope.getByRole('article')
const waitForToast = ({ page }: ChatPage, text: string) => page.locator('.toast', { hasText: text }).last().waitFor()

async function openOwnPosts(visitor: ChatPage): Promise<void> {
  await visitor.openSideMenu()
  await visitor.sideMenuEntry('Gönderilerim').click()
  await visitor.page.getByText('Henüz bir gönderin yok.').waitFor()
}

async function publishPhoto(visitor: ChatPage, description: string): Promise<Locator> {
  await choosePostOption(visitor, 'Yeni Paylaşım')
  const form = visitor.page.getByRole('dialog', { name: 'Yeni Paylaşım' })
  await form.locator('input[data-post-file]').setInputFiles(await createTestPhoto())
  await form.getByRole('textbox').fill(description)
  await form.getByRole('button', { name: 'Paylaş', exact: true }).click()
  await form.waitFor({ state: 'detached' })
  const post = posts(visitor.page).filter({ hasText: description })
  await post.locator('.media-picture[data-status=loaded]').waitFor()
  return post
}

describe('a premium member who posts photos', () => {
  journey(
    '[POST-40] [POST-43] [POST-47] publishes one from the menu, archives it and takes it out again',
    async ({ site, desktop, phone }) => {
      const adaName = uniqueName('Ada')
      const ada = await (await phone()).enterAsMember(adaName)
      const guest = await (await desktop()).openRoomAsGuest(uniqueName('Konuk'))
      await guest.openSideMenu()
      expect(await guest.sideMenuEntry('Gönderilerim').count()).toBe(0)

      await openOwnPosts(ada)
      await choosePostOption(ada, 'Yeni Paylaşım')
      await waitForToast(ada, 'Paylaşım yapabilmek için Premium olmalısın!')
      expect(await ada.page.getByRole('dialog', { name: 'Yeni Paylaşım' }).count()).toBe(0)
      updateSiteDatabase(site, 'update user set premiumUntil = 9999999999999 where username = ?', adaName)
      await ada.page.reload()
      await ada.waitForRoom()
      await openOwnPosts(ada)
      const first = await publishPhoto(ada, 'Deniz kenarı')

      await publishPhoto(ada, 'Gün batımı')

      await first.getByRole('button', { name: 'Gönderi işlemleri' }).click()
      await ada.page.getByRole('menuitem', { name: 'Arşivle' }).click()
      await first.waitFor({ state: 'detached' })
      await choosePostOption(ada, 'Arşiv')
      const archive = ada.page.getByRole('dialog', { name: 'Arşiv' })
      await posts(archive).getByRole('button', { name: 'Gönderi işlemleri' }).click()
      await ada.page.getByRole('menuitem', { name: 'Arşivden çıkar' }).click()
      await waitForToast(ada, 'Gönderi arşivden çıkarıldı.')
      await archive.getByText('Arşivinde gönderi yok.').waitFor()
      await ada.page.keyboard.press('Escape')
      await archive.waitFor({ state: 'detached' })
      await posts(ada.page).first().getByText('Deniz kenarı').waitFor()
      await posts(ada.page).first().getByRole('button', { name: 'Gönderinin fotoğrafını büyüt' }).click()
      await ada.page.getByRole('dialog', { name: 'Resimler ve videolar' }).getByText('1 / 2').waitFor()
    },
  )
})
