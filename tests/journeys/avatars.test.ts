import { randomUUID } from 'node:crypto'
import sharp from 'sharp'
import { describe, expect } from 'vitest'
import type { SiteProcess } from '../drivers/site-process.ts'
import { openUserList, updateSiteDatabase } from '../screens/screen-steps.ts'
import type { ChatPage } from './chat-page.ts'
import { journey } from './journey.ts'

/** Sets an avatar of this colour for the own account. Returns its URL. */
async function uploadAvatar({ page }: ChatPage, background: string): Promise<string> {
  const buffer = await sharp({ create: { width: 400, height: 400, channels: 3, background } })
    .jpeg()
    .toBuffer()
  const answer = await page.request.put('/api/users/profile', {
    headers: { authorization: `Bearer ${await page.evaluate(() => localStorage.getItem('token'))}` },
    multipart: { avatar: { name: 'ben.jpg', mimeType: 'image/jpeg', buffer } },
  })
  const { user } = await answer.json()
  return `/uploads/${user.avatarUrl}`
}

/** Inserts messages of this member into room 1; pages that open later show them. */
function insertMessages(site: SiteProcess, username: string, lines: string[]): void {
  const values = lines.map((line, at) => `(${Date.now() - 60_000 + at}, '${line}', '${randomUUID()}')`)
  updateSiteDatabase(
    site,
    `insert into message (roomId, senderId, content, consecutiveCount, audience, clientId, createdAt)
     select 1, user.id, said.column2, 1, null, said.column3, said.column1
     from (values ${values.join(',')}) said, user where user.username = '${username}'`,
  )
}

/** Requests for uploaded files, as they arrive. */
function recordUploadRequests({ page }: ChatPage): string[] {
  const requestedUrls: string[] = []
  page.on('request', (request) => {
    const { pathname } = new URL(request.url())
    if (pathname.startsWith('/uploads/')) requestedUrls.push(pathname)
  })
  return requestedUrls
}

/** The avatars of this user in a list of people. */
const avatarPictureOf = ({ page }: ChatPage, username: string) =>
  page.locator('.person', { hasText: username }).locator('.avatar-picture')
const LOADED_SELECTOR = '[data-loaded=true]'

describe('an avatar', () => {
  journey('[SHELL-32] loads its picture over the default when it scrolls near', async ({ site, desktop, phone }) => {
    const member = await (await desktop()).enterAsMember('Resimli')
    const picture = await uploadAvatar(member, '#3366cc')
    insertMessages(site, 'Resimli', ['İlk söz benim'])
    await (await desktop()).enterAsMember('Konuşkan')
    insertMessages(
      site,
      'Konuşkan',
      Array.from({ length: 30 }, (_, line) => `Satır ${line}`),
    )

    const guest = await phone()
    const requestedUrls = recordUploadRequests(guest)
    await guest.openRoomAsGuest('Bakan')
    await guest.waitForMessage('Satır 29')
    expect(requestedUrls).toEqual([])
    const face = guest.messageLog.locator('.group', { hasText: 'söz benim' }).locator('.avatar')
    await face.locator('img[src^="/staticImages/"]').waitFor({ state: 'attached' })
    await face.scrollIntoViewIfNeeded()
    await face.locator(`.avatar-picture${LOADED_SELECTOR}`).waitFor()
    expect(requestedUrls).toEqual([picture])
  })

  journey('[SHELL-32] keeps the default when the picture fails, and always for a guest', async ({ site, desktop }) => {
    const member = await (await desktop()).enterAsMember('Kırık')
    await uploadAvatar(member, '#cc6633')
    const guest = await desktop()
    guest.errors.allow(/Failed to load resource/)
    await guest.page.route('**/uploads/**', (route) => route.abort())
    const failed = guest.page.waitForEvent('requestfailed', (request) => request.url().includes('/uploads/'))
    await guest.openRoomAsGuest('Misafircik')
    updateSiteDatabase(
      site,
      `update user set avatarUrl = 'x.webp', largeAvatarUrl = 'x.webp' where username = 'Misafircik'`,
    )
    await openUserList(guest)
    await failed
    expect(await avatarPictureOf(guest, 'Kırık').getAttribute('data-loaded')).toBe('false')
    expect(await guest.page.locator('.person', { hasText: 'Kırık' }).locator('.avatar > img').count()).toBe(2)
    expect(await guest.page.locator('.toast').count()).toBe(0)
    await guest.page.reload()
    await openUserList(guest)
    expect(await guest.page.locator('.person', { hasText: 'Misafircik' }).locator('.avatar > img').count()).toBe(1)
  })

  journey('[SHELL-33] shows the old picture until a changed one has loaded', async ({ desktop }) => {
    const member = await (await desktop()).enterAsMember('Değişken')
    const before = await uploadAvatar(member, '#226622')
    const guest = await (await desktop()).openRoomAsGuest('Seyirci')
    await openUserList(guest)
    const picture = avatarPictureOf(guest, 'Değişken')
    await picture.and(guest.page.locator(LOADED_SELECTOR)).waitFor()
    const { promise: isLetThrough, resolve: letThrough } = Promise.withResolvers<void>()
    await guest.page.route('**/uploads/**', async (route) => {
      await isLetThrough
      await route.continue()
    })
    const request = guest.page.waitForRequest(/\/uploads\//)
    const after = await uploadAvatar(member, '#aa22aa')
    await request
    const shows = () =>
      picture.evaluate((image: HTMLImageElement) => [new URL(image.currentSrc).pathname, image.naturalWidth > 0])
    expect(await shows()).toEqual([before, true])
    letThrough()
    await expect.poll(shows).toEqual([after, true])

    // Rendered again in a list, it appears with the first frame.
    const again = recordUploadRequests(guest)
    const search = guest.page.getByRole('searchbox', { name: 'Odadaki kullanıcılarda ara...' })
    await search.fill('hiç kimse')
    await guest.page.getByText('Eşleşen kullanıcı bulunamadı!').waitFor()
    const firstFrame = guest.page.evaluate(
      () =>
        new Promise((resolve) => {
          const list = document.querySelector('.side-panel')
          const watch = new MutationObserver(() => {
            const drawn = list?.querySelector<HTMLImageElement>('.avatar-picture')
            if (drawn) requestAnimationFrame(() => resolve([drawn.dataset.loaded, drawn.complete]))
          })
          if (list) watch.observe(list, { childList: true, subtree: true })
        }),
    )
    await search.fill('')
    expect(await firstFrame).toEqual(['true', true])
    expect(new Set(again).size).toBeLessThanOrEqual(1)
  })
})
