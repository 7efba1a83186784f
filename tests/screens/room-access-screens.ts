import { type Site, updateSiteDatabase } from '../drivers/site.ts'
import type { ChatPage } from '../journeys/chat-page.ts'
import { enterAsRootAdmin, enterRoomWhenListed, type Screen } from './screen-steps.ts'

/** Opens a section of 'Oda Yönetimi' of room 1 as a root admin. */
async function openSection(visitor: ChatPage, site: Site, label: string): Promise<void> {
  await enterAsRootAdmin(visitor, site)
  const { page } = visitor
  const settings = page.getByRole('button', { name: 'Ayarlar' })
  if (await settings.isVisible()) await settings.click()
  await page.getByRole('button', { name: 'Oda Yönetimi' }).click()
  await page.getByRole('button', { name: label }).click()
  await page.getByRole('dialog', { name: label }).waitFor()
}

/** Who may enter a room and who may write to it. */
export const roomAccessScreens: Screen[] = [
  {
    name: 'room-password',
    expectedError: /status of 403/,
    open: async (visitor, site) => {
      await enterRoomWhenListed(visitor)
      updateSiteDatabase(site, "update room set passwordHash = 'none' where id = 3")
      visitor.errors.allow(/status of 403 .*room\/3/)
      await visitor.page.goto('/room/3')
      await visitor.page.getByLabel('Oda şifresi').waitFor()
      updateSiteDatabase(site, 'update room set passwordHash = null where id = 3')
    },
  },
  {
    name: 'write-refused',
    open: async (visitor, site) => {
      await enterRoomWhenListed(visitor)
      // It stays so, because a page whose room changes follows it; no other screen uses this room.
      updateSiteDatabase(site, "update room set messagePreference = 'admins' where id = 3")
      await visitor.page.goto('/room/3')
      await visitor.page.getByPlaceholder('Bu odaya yalnızca oda adminleri yazabilir.').waitFor()
    },
  },
  {
    name: 'managed-room-permissions',
    signedInAs: 'rootAdmin',
    open: (visitor, site) => openSection(visitor, site, 'Yazma ve medya izni'),
  },
  {
    name: 'managed-room-password',
    signedInAs: 'rootAdmin',
    open: (visitor, site) => openSection(visitor, site, 'Oda şifresi'),
  },
  {
    name: 'managed-room-bans',
    signedInAs: 'rootAdmin',
    open: async (visitor, site) => {
      updateSiteDatabase(
        site,
        `insert into restriction (kind, roomId, userId, reason, duration, imposedById, at, endsAt)
         select 'roomBan', 1, id, 'Uygunsuz Mesaj', 'indefinite', id, ${Date.now()}, null from user
         where not exists (select 1 from restriction where kind = 'roomBan' and liftedAt is null) order by id limit 1`,
      )
      await openSection(visitor, site, 'Yasaklılar')
      await visitor.page.getByRole('button', { name: /^Ban Kaldır/ }).waitFor()
      updateSiteDatabase(site, "update restriction set liftedAt = at where kind = 'roomBan' and liftedAt is null")
    },
  },
]
