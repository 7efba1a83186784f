import { foldName } from '../../src/shared/text/turkish.ts'
import type { SiteProcess } from '../drivers/site-process.ts'
import type { ChatPage } from '../journeys/chat-page.ts'
import { enterAsRootAdmin, type Screen, updateSiteDatabase } from './screen-steps.ts'

const ADMIN_NAMES = ['Nehir', 'Uzunİsimliİnsan2026']

/** Makes members of these names admins of room 1. */
function addAdmins(site: SiteProcess): void {
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
async function openManagement(visitor: ChatPage, site: SiteProcess): Promise<void> {
  addAdmins(site)
  await enterAsRootAdmin(visitor, site)
  const { page } = visitor
  const settings = page.getByRole('button', { name: 'Ayarlar' })
  if (await settings.isVisible()) await settings.click()
  await page.getByRole('button', { name: 'Oda Yönetimi' }).click()
  await page.getByRole('button', { name: 'Adminler' }).waitFor()
}

/** Opens one section of 'Oda Yönetimi'. */
async function openSection(visitor: ChatPage, site: SiteProcess, label: string): Promise<void> {
  await openManagement(visitor, site)
  await visitor.page.getByRole('button', { name: label }).click()
  await visitor.page.getByRole('dialog', { name: label }).waitFor()
}

/** 'Oda Yönetimi' as those who run a room see it. */
export const roomManagementScreens: Screen[] = [
  { name: 'managed-room', signedInAs: 'rootAdmin', open: openManagement },
  {
    name: 'managed-room-admins',
    signedInAs: 'rootAdmin',
    open: async (visitor, site) => {
      await openSection(visitor, site, 'Adminler')
      await visitor.page.getByRole('button', { name: 'Adminlikten çıkar: Nehir' }).waitFor()
    },
  },
]
