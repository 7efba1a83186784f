import type { Page } from 'playwright-core'
import { describe, expect } from 'vitest'
import { type Site, updateSiteDatabase } from '../drivers/site.ts'
import { movingJourney as journey } from './journey.ts'

function addRooms(site: Site, count: number): void {
  const rooms = Array.from({ length: count }, (_, index) => {
    const name = `Salon ${String(index + 1).padStart(2, '0')}`
    return `('${name}', '${name.toLowerCase()}', null, 100, 1, 1, null, 0, 0, null)`
  })
  const columns =
    'name, foldedName, greetingMessage, capacity, isList, isActive, ownerId, createdAt, updatedAt, expiryDate'
  updateSiteDatabase(site, `insert into room (${columns}) values ${rooms.join(', ')}`)
}

async function openAllRooms(page: Page) {
  await page
    .getByRole('button', { name: /^Tüm Odalar/ })
    .first()
    .click()
  const sheet = page.getByRole('dialog', { name: /Tüm Odalar/ })
  await sheet.getByText('En canlı odalar').waitFor()
  return sheet
}

async function navigateToRoom(page: Page, room: string): Promise<void> {
  await page
    .getByRole('navigation')
    .getByRole('link', { name: new RegExp(room) })
    .click()
  await page.getByRole('heading', { name: `#${room}` }).waitFor()
}

describe('the list of all rooms', () => {
  journey(
    '[ROOM-15] [ROOM-17] shows the current room first, then the three busiest, and updates live',
    { tags: 'deep' },
    async ({ phone, speaker }) => {
      const visitor = await (await phone()).openRoomAsGuest('Bakınan')
      const { page } = visitor
      const sheet = await openAllRooms(page)
      const top = sheet.getByRole('region', { name: 'En canlı odalar' }).getByRole('link')
      expect(await top.count()).toBe(3)
      expect(await sheet.getByRole('region', { name: 'Diğer odalar' }).getByRole('link').count()).toBe(1)
      expect(await sheet.getByRole('link').first().getAttribute('aria-current')).toBe('page')
      expect(await sheet.locator('a[aria-current=page]').innerText()).toContain('Meydan')

      const links = sheet.getByRole('region').getByRole('link')
      const order = () => links.evaluateAll((all) => all.map((link) => link.getAttribute('href')))
      const before = await order()
      await links.first().hover()
      await speaker('Oyuncu', { roomId: 4 })
      // The pointer holds the order while it is over the list.
      await links.filter({ hasText: /Oyun.*1/ }).waitFor()
      expect(await order()).toEqual(before)
      await page.mouse.move(5, 5)
      await speaker('İkincioyuncu', { roomId: 4 })
      await page.waitForFunction(() => {
        const first = document.querySelector('[data-place=top] a')
        return first?.textContent?.includes('Oyun') && first.textContent.includes('2')
      })
      await sheet.getByRole('link', { name: /Oyun/ }).tap()
      await page.getByRole('heading', { name: '#Oyun' }).waitFor()
      await page.waitForFunction(() => document.querySelector('dialog[open]') === null)
    },
  )

  journey(
    '[ROOM-15] fills a desktop screen, and a click on any part of a room card opens the room',
    { tags: 'deep' },
    async ({ desktop }) => {
      const { page } = await (await desktop()).openRoomAsGuest('Gezen')
      const sheet = await openAllRooms(page)
      await sheet.evaluate((dialog) => Promise.all(dialog.getAnimations().map(({ finished }) => finished)))
      expect(await sheet.boundingBox()).toEqual({ x: 0, y: 0, ...page.viewportSize() })
      const roomCard = sheet.getByRole('listitem').filter({ hasText: 'Müzik' })
      await roomCard.click({ position: { x: 8, y: 8 } })
      await page.getByRole('heading', { name: '#Müzik' }).waitFor()
      await sheet.waitFor({ state: 'hidden' })
    },
  )

  journey('[ROOM-15] says that there are no rooms', async ({ site, desktop }) => {
    const { page } = await (await desktop()).openRoomAsGuest('Boşçu')
    updateSiteDatabase(site, 'update room set isList = 0')
    await page.getByRole('button', { name: 'Tüm Odalar' }).first().click()
    await page.getByRole('dialog').getByText('Oda bulunamadı!').waitFor()
  })

  journey(
    '[ROOM-16] shows at most six rooms beside the thread, and a button for all',
    { tags: 'deep' },
    async ({ site, desktop }) => {
      addRooms(site, 9)
      const { page } = await (await desktop()).openRoomAsGuest('Kenarcı')
      const rail = page.getByRole('navigation', { name: 'Odalar' })
      const links = rail.getByRole('link')
      expect(await links.count()).toBe(6)
      expect(await links.first().getAttribute('aria-current')).toBe('page')
      await rail.getByRole('button', { name: 'Canlı odaları göster' }).click()
      await page.waitForFunction(() => document.querySelectorAll('.room-rail a').length === 1)
      await rail.getByRole('button', { name: 'Canlı odaları göster' }).click()
      await rail.getByRole('button', { name: 'Tüm Odalar' }).click()
      const sheet = page.getByRole('dialog', { name: /Tüm Odalar/ })
      await sheet.getByRole('link', { name: /Salon 09/ }).click()
      await page.getByRole('heading', { name: '#Salon 09' }).waitFor()
      expect(await links.first().innerText()).toContain('Salon 09')
    },
  )
})

journey(
  '[ROOM-40] the order of rooms stays under the pointer, with live counts, and follows after it',
  { tags: 'deep' },
  async ({ desktop, speaker }) => {
    const { page } = await (await desktop()).openRoomAsGuest('Duran')
    const rail = page.getByRole('navigation', { name: 'Odalar' })
    const names = () => rail.locator('.room-link-name').allTextContents()
    await page.locator('m-island[data-live]').filter({ has: rail }).waitFor({ state: 'attached' })
    await rail.getByRole('link').nth(1).hover()
    const before = await names()
    const last = before.at(-1)?.slice(1) ?? ''
    const path = (await rail.getByRole('link').last().getAttribute('href')) ?? ''
    await speaker('Giren', { roomId: Number(path.split('/').at(-1)) })
    await rail.getByRole('link', { name: new RegExp(`${last}.*[1-9] kişi`) }).waitFor()
    expect(await names()).toEqual(before)
    await page.mouse.move(700, 400)
    await expect.poll(async () => (await names()).indexOf(`#${last}`)).toBeLessThan(before.length - 1)
  },
)

describe('the room sheet', () => {
  journey(
    '[ROOM-18] [ROOM-19] shows the number of users, the access rule, the link and the staff',
    async ({ site, desktop }) => {
      await site.createRootAdmin('Kadrodaki')
      updateSiteDatabase(
        site,
        "insert into roomAdmin (roomId, userId) select 3, id from user where username = 'Kadrodaki'",
      )
      const { page } = await (await desktop()).openRoomAsGuest('Soran')
      const sheet = await openAllRooms(page)
      await sheet.getByRole('button', { name: '#Müzik: Oda Bilgileri' }).click()
      const detail = page.getByRole('dialog', { name: '#Müzik' })
      await detail.getByText('0 online').waitFor()
      await detail.getByText('Herkes girebilir').waitFor()
      await detail.getByRole('button', { name: 'KADRO' }).click()
      const staff = detail.getByRole('region', { name: 'Oda Kadrosu' })
      await staff.getByText('Kadrodaki').waitFor()
      await staff.getByText('Root Admin').waitFor()
      await page.keyboard.press('Escape')
      await detail.waitFor({ state: 'hidden' })

      await sheet.getByRole('button', { name: '#Oyun: Oda Bilgileri' }).click()
      const emptyRoom = page.getByRole('dialog', { name: '#Oyun' })
      await emptyRoom.getByRole('button', { name: 'KADRO' }).click()
      await emptyRoom.getByText('Bu odada henüz admin bulunmuyor.').waitFor()
      await emptyRoom.getByRole('link', { name: 'ODAYA GEÇ' }).click()
      await page.getByRole('heading', { name: '#Oyun' }).waitFor()
    },
  )

  journey('[ROOM-19] logs a failed request for the staff and shows no error', { tags: 'deep' }, async ({ desktop }) => {
    const visitor = await (await desktop()).openRoomAsGuest('Kesik')
    visitor.errors.allow(/status of 503/)
    const { page } = visitor
    await page.route(/\/api\/rooms\/\d+$/, (route) => route.fulfill({ status: 503, body: '{}' }))
    const warned = page.waitForEvent('console', (message) => message.text().includes('Loading failed'))
    const sheet = await openAllRooms(page)
    await sheet.getByRole('button', { name: '#Oyun: Oda Bilgileri' }).click()
    const detail = page.getByRole('dialog', { name: '#Oyun' })
    await detail.getByRole('button', { name: 'KADRO' }).click()
    await warned
    await detail.getByRole('button', { name: 'KADRO', expanded: false }).waitFor()
  })
})

describe('visited rooms', () => {
  journey(
    '[ROOM-20] are marked after a new message until the next visit',
    { tags: 'deep' },
    async ({ desktop, speaker }) => {
      const visitor = await (await desktop()).openRoomAsGuest('Dönecek')
      const host = await speaker('Konuşan', { role: 'rootAdmin' })
      const { page } = visitor
      const markedLink = page
        .getByRole('navigation', { name: 'Odalar' })
        .getByRole('link', { name: /Meydan.*yeni mesajlar var/ })
      await host.sendMessage('sen buradayken')
      await visitor.waitForMessage('Sen buradayken')
      await navigateToRoom(page, 'Müzik')
      expect(await markedLink.count()).toBe(0)
      await host.sendMessage('sen gidince')
      await markedLink.waitFor()

      await page.reload()
      await visitor.waitForRoom()
      await markedLink.waitFor()
      await navigateToRoom(page, 'Meydan')
      await markedLink.waitFor({ state: 'detached' })
      await visitor.waitForMessage('Sen gidince')
    },
  )
})
