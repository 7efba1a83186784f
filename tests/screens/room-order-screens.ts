import { foldName } from '../../src/shared/text/turkish.ts'
import { type Site, updateSiteDatabase } from '../drivers/site.ts'
import type { ChatPage } from '../journeys/chat-page.ts'
import { enterAsRootAdmin, type Screen } from './screen-steps.ts'

const DAY_MS = 24 * 60 * 60_000

/** Rooms of Zeynep: id, name, days until the expiry, listed, active. */
const ROOMS = [
  [901, 'Kitap Kulübü', 40, 1, 1],
  [902, 'Satranç', 3, 0, 1],
  [903, 'Uzun Kış Gecelerinin Sohbeti', -4, 1, 1],
  [904, 'Eski Plaklar', -30, 1, 0],
] as const

/** Enters as a root admin who owns rooms in each state of their term. */
async function enterAsOwner(visitor: ChatPage, site: Site): Promise<void> {
  await enterAsRootAdmin(visitor, site)
  for (const [id, name, days, isList, isActive] of ROOMS)
    updateSiteDatabase(
      site,
      `insert or ignore into room (id, name, foldedName, capacity, isList, isActive, ownerId, createdAt, updatedAt, expiryDate)
       select ${id}, '${name}', '${foldName(name)}', 50, ${isList}, ${isActive}, id, 0, 0, ${Date.now() + days * DAY_MS}
       from user where username = 'Zeynep'`,
    )
}

/** Opens 'Yeni Oda Siparişi' from the header, or on a phone from the settings. */
export async function openRoomOrder({ page }: ChatPage): Promise<void> {
  const settings = page.getByRole('button', { name: 'Ayarlar' })
  if (await settings.isVisible()) {
    await settings.click()
    await page.getByRole('button', { name: 'Oda Oluştur' }).click()
  } else await page.getByRole('button', { name: 'Yeni Oda Aç' }).click()
  await page.getByRole('dialog', { name: 'Yeni Oda Siparişi' }).waitFor()
}

/** Goes on to the last step of the order. */
async function openLastStep(visitor: ChatPage): Promise<void> {
  const { page } = visitor
  await openRoomOrder(visitor)
  await page.getByPlaceholder('Oda Adı').fill('Gece Yarısı Kahvesi')
  await page.keyboard.press('Enter')
  await page.getByRole('radio', { name: /^3 Ay/ }).check()
  await page.getByRole('button', { name: 'Devam et' }).click()
  await page.getByRole('radio', { name: /^50 Kişi/ }).check()
  await page.getByRole('button', { name: /Devam et/ }).click()
}

async function openOwnRooms(visitor: ChatPage, site: Site): Promise<void> {
  await enterAsOwner(visitor, site)
  await visitor.openSideMenu()
  await visitor.sideMenuEntry('Odalarım').click()
  await visitor.page.getByRole('link', { name: '#Satranç' }).waitFor()
}

/** Orders, renewals and the lists of a member's rooms. */
export const roomOrderScreens: Screen[] = [
  {
    name: 'room-order-name',
    signedInAs: 'rootAdmin',
    open: async (visitor, site) => {
      await enterAsOwner(visitor, site)
      await openRoomOrder(visitor)
      await visitor.page.getByRole('button', { name: 'Devam et' }).click()
      await visitor.page.getByText('Odana bir ad ver.').waitFor()
    },
  },
  {
    name: 'room-order-capacity',
    signedInAs: 'rootAdmin',
    open: async (visitor, site) => {
      await enterAsOwner(visitor, site)
      await openLastStep(visitor)
      await visitor.page.getByRole('button', { name: 'Geri' }).click()
      await visitor.page.getByRole('radio', { name: /^50 Kişi/ }).waitFor()
    },
  },
  {
    name: 'room-order-refused',
    signedInAs: 'rootAdmin',
    expectedError: /status of 409/,
    open: async (visitor, site) => {
      await enterAsOwner(visitor, site)
      await openLastStep(visitor)
      await visitor.page.getByRole('button', { name: /Siparişi Onayla/ }).click()
      await visitor.page
        .getByRole('group')
        .getByText(/Yetersiz bakiye!/)
        .waitFor()
    },
  },
  { name: 'own-rooms', signedInAs: 'rootAdmin', open: openOwnRooms },
  {
    name: 'own-rooms-unpaid',
    signedInAs: 'rootAdmin',
    open: async (visitor, site) => {
      await openOwnRooms(visitor, site)
      const { page } = visitor
      await page.getByRole('button', { name: 'Oda Siparişlerim' }).click()
      const dialog = page.getByRole('dialog', { name: 'Oda Siparişlerim' })
      await dialog.getByRole('tab', { name: /Ödenmemiş/ }).click()
      await dialog.getByText('#Eski Plaklar').waitFor()
    },
  },
  {
    name: 'room-renewal',
    signedInAs: 'rootAdmin',
    open: async (visitor, site) => {
      await openOwnRooms(visitor, site)
      const { page } = visitor
      await page.getByRole('button', { name: '#Satranç: Son 3 gün, Süreyi uzat' }).click()
      await page.getByRole('radio', { name: /^1 Ay/ }).waitFor()
      await page.getByRole('button', { name: 'Devam et' }).click()
      await page.getByRole('button', { name: /Devam et/ }).click()
      await page.getByText('Yeni bitiş').waitFor()
    },
  },
]
