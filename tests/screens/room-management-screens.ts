import { foldName } from '../../src/shared/text/turkish.ts'
import { type Site, updateSiteDatabase } from '../drivers/site.ts'
import { createTestPhoto } from '../fixtures/test-photo.ts'
import type { ChatPage } from '../journeys/chat-page.ts'
import { enterAsRootAdmin, type Screen } from './screen-steps.ts'

const ADMIN_NAMES = ['Nehir', 'Uzunİsimliİnsan2026']

/** Makes members of these names admins of room 1. */
function addAdmins(site: Site): void {
  for (const name of ADMIN_NAMES) {
    updateSiteDatabase(
      site,
      `insert into user (username, foldedName, gender, isGuest, role, lastLoginPlatform, createdAt, lastSeenAt)
       select '${name}', '${foldName(name)}', 'female', 0, 'member', 'web', 0, 0
       where not exists (select 1 from user where username = '${name}')`,
    )
    updateSiteDatabase(
      site,
      `insert or ignore into roomAdmin (roomId, userId) select 1, id from user where username = '${name}'`,
    )
  }
}

/** Opens 'Oda Yönetimi' of room 1 as a root admin. */
async function openManagement(visitor: ChatPage, site: Site): Promise<void> {
  addAdmins(site)
  await enterAsRootAdmin(visitor, site)
  const { page } = visitor
  const settings = page.getByRole('button', { name: 'Ayarlar' })
  if (await settings.isVisible()) await settings.click()
  await page.getByRole('button', { name: 'Oda Yönetimi' }).click()
  await page.getByRole('button', { name: 'Adminler' }).waitFor()
}

/** Opens one section of 'Oda Yönetimi'. */
async function openSection(visitor: ChatPage, site: Site, label: string): Promise<void> {
  await openManagement(visitor, site)
  await visitor.page.getByRole('button', { name: label }).click()
  await visitor.page.getByRole('dialog', { name: label }).waitFor()
}

/** Gives room 1 a bright background with hard edges, and a greeting. */
async function decorateRoom({ page }: ChatPage): Promise<void> {
  const token = await page.evaluate(() => localStorage.getItem('token'))
  const headers = { Authorization: `Bearer ${token}` }
  const backgroundImage = await createTestPhoto('#ffffff')
  await page.request.put('/api/rooms/1/background', { headers, multipart: { backgroundImage } })
  const greetingMessage = 'Hoş geldiniz!\nKüfür etmeyin, birbirinize iyi davranın. Etkinlikler her cuma 21.00’de.'
  await page.request.put('/api/rooms/1/greeting-message', { headers, data: { greetingMessage } })
}

/** Removes what `decorateRoom` has set, for the other screens of room 1. */
function undecorateRoom(site: Site): void {
  updateSiteDatabase(
    site,
    'update room set greetingMessage = null, backgroundImage = null, smallBackgroundImage = null, backgroundImageHash = null where id = 1',
  )
}

/** 'Oda Yönetimi' as its staff see it. */
export const roomManagementScreens: Screen[] = [
  {
    name: 'decorated-room',
    open: async (visitor, site) => {
      await enterAsRootAdmin(visitor, site)
      await decorateRoom(visitor)
      await visitor.page.goto('/room/1')
      await visitor.page.getByRole('button', { name: 'Karşılama mesajını kapat' }).waitFor()
      await visitor.page.locator('img.room-background').waitFor()
      undecorateRoom(site)
    },
  },
  { name: 'managed-room', signedInAs: 'rootAdmin', open: openManagement },
  {
    name: 'managed-room-admins',
    signedInAs: 'rootAdmin',
    open: async (visitor, site) => {
      await openSection(visitor, site, 'Adminler')
      await visitor.page.getByRole('button', { name: 'Adminlikten çıkar: Nehir' }).waitFor()
    },
  },
  {
    name: 'managed-room-visitors',
    signedInAs: 'rootAdmin',
    open: async (visitor, site) => {
      updateSiteDatabase(
        site,
        `insert or ignore into roomVisit (roomId, userId, visitedAt) select 1, id, ${Date.now()} - id * 60000 from user limit 8`,
      )
      await openSection(visitor, site, 'Odaya uğrayanlar')
      await visitor.page.locator('dialog time').first().waitFor()
    },
  },
  {
    name: 'managed-room-popup',
    signedInAs: 'rootAdmin',
    open: async (visitor, site) => {
      await openSection(visitor, site, 'Duyuru gönder')
      const { page } = visitor
      await page
        .getByRole('textbox', { name: 'Duyuru' })
        .fill('<b>Bu akşam canlı müzik!</b>\nSaat 21.00’de hepinizi bekleriz.')
      await page.getByText('Önizleme').waitFor()
    },
  },
]
