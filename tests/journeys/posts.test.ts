import type { Locator } from 'playwright-core'
import { describe, expect } from 'vitest'
import { normaliseMessage } from '../../src/shared/room-chat/rules.ts'
import { type Site, updateSiteDatabase } from '../drivers/site.ts'
import { createTestPhoto } from '../fixtures/test-photo.ts'
import { choosePostOption, publishPost } from '../screens/post-screens.ts'
import { assertNoXss, XSS_CORPUS } from './assert-no-xss.ts'
import type { ChatPage } from './chat-page.ts'
import { journey } from './journey.ts'

const posts = (scope: ChatPage['page'] | Locator): Locator => scope.getByRole('article')
const likeButton = (post: Locator): Locator => post.getByRole('button', { name: 'Beğen', exact: true })
const commentButton = (post: Locator): Locator => post.getByRole('button', { name: /^Yorumlar/ })
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

/** Back leaves a started post only after a question. */
async function expectBackToAsk(visitor: ChatPage): Promise<void> {
  await choosePostOption(visitor, 'Yeni Paylaşım')
  const form = visitor.page.getByRole('dialog', { name: 'Yeni Paylaşım' })
  await form.getByRole('textbox').fill('Yarım kalan')
  await visitor.page.goBack()
  await form.getByText('Paylaşmadığın bir gönderin var.').waitFor()
  await form.getByRole('button', { name: 'Paylaşmadan çık' }).click()
  await form.waitFor({ state: 'detached' })
}

describe('a premium member who posts photos', () => {
  journey(
    '[SHELL-37] [POST-40] [POST-43] [POST-47] [POST-51] is liked and answered live, and archives a post and takes it out again',
    async ({ site, desktop, phone }) => {
      const ada = await (await phone()).enterAsMember('Ada')
      const guest = await (await desktop()).openRoomAsGuest('Konuk')
      await guest.openSideMenu()
      expect(await guest.sideMenuEntry('Gönderilerim').count()).toBe(0)

      await openOwnPosts(ada)
      await choosePostOption(ada, 'Yeni Paylaşım')
      await waitForToast(ada, 'Paylaşım yapabilmek için Premium olmalısın!')
      expect(await ada.page.getByRole('dialog', { name: 'Yeni Paylaşım' }).count()).toBe(0)
      updateSiteDatabase(site, "update user set premiumUntil = 9999999999999 where username = 'Ada'")
      await ada.page.reload()
      await ada.waitForRoom()
      await openOwnPosts(ada)
      await expectBackToAsk(ada)
      const first = await publishPhoto(ada, 'Deniz kenarı')

      const can = await (await desktop()).enterAsMember('Can')
      await openProfile(can, 'Ada')
      const seen = posts(can.page).filter({ hasText: 'Deniz kenarı' })
      await likeButton(seen).click()
      await expect.poll(() => likeButton(seen).getAttribute('aria-pressed')).toBe('true')
      await first.getByRole('button', { name: '1 beğeni' }).click()
      await ada.page.getByRole('dialog', { name: 'Beğenenler' }).getByText('Can').waitFor()
      await ada.page.keyboard.press('Escape')
      await commentButton(seen).click()
      // The space ends the name: Enter would choose a suggestion, which may come before it.
      await seen.getByRole('textbox', { name: 'Yorum yaz' }).fill('Çok güzel @Ada ')
      await seen.getByRole('textbox', { name: 'Yorum yaz' }).press('Enter')
      await first.getByText('Çok güzel').waitFor()
      await publishPhoto(ada, 'Gün batımı')
      await posts(can.page).filter({ hasText: 'Gün batımı' }).waitFor()
      expect(await posts(can.page).count()).toBe(2)

      await first.getByRole('button', { name: 'Gönderi işlemleri' }).click()
      await ada.page.getByRole('menuitem', { name: 'Arşivle' }).click()
      await first.waitFor({ state: 'detached' })
      await seen.waitFor({ state: 'detached' })
      await choosePostOption(ada, 'Arşiv')
      const archive = ada.page.getByRole('dialog', { name: 'Arşiv' })
      await posts(archive).getByRole('button', { name: 'Gönderi işlemleri' }).click()
      await ada.page.getByRole('menuitem', { name: 'Arşivden çıkar' }).click()
      await waitForToast(ada, 'Gönderi arşivden çıkarıldı.')
      await archive.getByText('Arşivinde gönderi yok.').waitFor()
      await ada.page.keyboard.press('Escape')
      await archive.waitFor({ state: 'detached' })
      for (const { page } of [ada, can]) await posts(page).first().getByText('Deniz kenarı').waitFor()
      await posts(can.page).first().getByRole('button', { name: 'Gönderinin fotoğrafını büyüt' }).click()
      await can.page.getByRole('dialog', { name: 'Resimler ve videolar' }).getByText('1 / 2').waitFor()
    },
  )

  journey('[CHAT-19] [POST-31] [POST-53] shows markup as text, page by page', async ({ site, desktop }) => {
    const ada = await (await desktop()).enterAsMember('Ada')
    const { page } = ada
    updateSiteDatabase(site, "update user set premiumUntil = 9999999999999 where username = 'Ada'")
    const description = XSS_CORPUS.slice(0, 12).join('\n')
    await publishPost(ada, { type: 'photo', description, file: await createTestPhoto() })
    addOlderCopies(site, 'Ada', 15)
    await ada.openSideMenu()
    await ada.sideMenuEntry('Gönderilerim').click()
    const post = posts(page).first()
    await expect.poll(() => post.locator('> p').textContent()).toBe(description)
    await commentButton(post).click()
    for (const text of XSS_CORPUS) {
      await post.getByRole('textbox', { name: 'Yorum yaz' }).fill(text)
      await post.getByRole('textbox', { name: 'Yorum yaz' }).press('Enter')
      await expect.poll(() => post.locator('li p[dir]').last().textContent()).toBe(normaliseMessage(text))
    }
    await assertNoXss(page)
    await post.getByRole('button', { name: 'Gönderinin fotoğrafını büyüt' }).click()
    await expect.poll(() => page.locator('.viewer-body > p').textContent()).toBe(description)
    await assertNoXss(page)
    await page.keyboard.press('Escape')
    expect(await posts(page).count()).toBe(12)
    await page.locator('.posts > .button').scrollIntoViewIfNeeded()
    await expect.poll(() => posts(page).count()).toBe(16)
  })
})

/** Adds posts that are older than the only one of a user, in the database. */
function addOlderCopies(site: Site, username: string, count: number): void {
  for (let index = 1; index <= count; index++)
    updateSiteDatabase(
      site,
      `insert into post (id, userId, type, path, mediumPath, thumbnailPath, sizeBytes, width, height, durationMs, blur,
         description, isArchived, createdAt, likeCount, commentCount, score, isReported, isPurging)
       select 100000 + ${index}, userId, type, path, mediumPath, thumbnailPath, sizeBytes, width, height, durationMs, blur,
         'Eski ${index}', isArchived, createdAt - ${index}, likeCount, commentCount, score, isReported, isPurging
       from post where id = (select max(id) from post where id < 100000 and userId = (select id from user where username = ?))`,
      username,
    )
}

/** Opens a user's profile from the list of the room's people. */
async function openProfile(visitor: ChatPage, username: string): Promise<void> {
  await visitor.page.locator('m-island[data-name*=panel-host][data-live]').waitFor({ state: 'attached' })
  await visitor.page.locator('.person', { hasText: username }).click()
}
