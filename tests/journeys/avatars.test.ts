import sharp from 'sharp'
import { describe, expect } from 'vitest'
import type { RouteAnswer } from '../../src/shared/protocol/catalogue.ts'
import type { LiveUser } from '../drivers/live-user.ts'
import { type Site, updateSiteDatabase } from '../drivers/site.ts'
import { openUserList } from '../screens/screen-steps.ts'
import type { ChatPage } from './chat-page.ts'
import { journey } from './journey.ts'

/** Sets an avatar of this colour for the user. Returns its URL. */
async function uploadAvatar({ signedIn }: LiveUser, site: Site, background: string): Promise<string> {
  const buffer = await sharp({ create: { width: 400, height: 400, channels: 3, background } })
    .jpeg()
    .toBuffer()
  const body = new FormData()
  body.set('avatar', new Blob([new Uint8Array(buffer)], { type: 'image/jpeg' }), 'ben.jpg')
  const headers = { authorization: `Bearer ${signedIn.token}` }
  const answer = await fetch(`${site.origin}/api/users/profile`, { method: 'PUT', headers, body })
  const { user } = (await answer.json()) as RouteAnswer<'updateProfile'> // the contract of the route
  return `/uploads/${user.avatarUrl}`
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
  journey(
    '[SHELL-32] loads its picture over the default when it scrolls near',
    { tags: 'deep' },
    async ({ site, speaker, phone }) => {
      const member = await speaker('Resimli', { role: 'member' })
      const picture = await uploadAvatar(member, site, '#3366cc')
      await member.sendMessage('İlk söz benim')
      const talker = await speaker('Konuşkan', { role: 'rootAdmin' })
      for (let line = 0; line < 30; line++) await talker.sendMessage(`Satır ${line}`)

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
    },
  )

  journey(
    '[SHELL-32] keeps the default when the picture fails, and always for a guest',
    async ({ site, speaker, desktop }) => {
      await uploadAvatar(await speaker('Kırık', { role: 'member' }), site, '#cc6633')
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
    },
  )

  journey('[SHELL-33] shows the old picture until a changed one has loaded', async ({ site, speaker, desktop }) => {
    const member = await speaker('Değişken', { role: 'member' })
    const before = await uploadAvatar(member, site, '#226622')
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
    const after = await uploadAvatar(member, site, '#aa22aa')
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
