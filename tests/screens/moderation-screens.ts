import type { Locator } from 'playwright-core'
import { foldName } from '../../src/shared/text/turkish.ts'
import { type Site, updateSiteDatabase } from '../drivers/site.ts'
import type { ChatPage } from '../journeys/chat-page.ts'
import { enterAsRootAdmin, type Screen } from './screen-steps.ts'

const RUDE_GUEST = 'Kaba'
/** Whose action log has the entries of `addActions`. */
const sitesWithActions = new WeakSet<Site>()

/** Opens 'Moderasyon', and in it the section of this label if one is given. */
export async function openModeration(visitor: ChatPage, section?: string): Promise<Locator> {
  await visitor.openContextMenu()
  await visitor.page.getByRole('menuitem', { name: 'Moderasyon' }).click()
  const screen = visitor.page.getByRole('dialog', { name: 'Moderasyon' })
  if (section) await screen.getByRole('button', { name: section }).click()
  await screen
    .getByRole('button', { name: 'Yasaklar', exact: true })
    .or(screen.getByRole('button', { name: 'Geri' }))
    .first()
    .waitFor()
  return screen
}

/** 'Moderasyon' of root admins. */
export const moderationScreens: Screen[] = [
  {
    name: 'moderation',
    signedInAs: 'rootAdmin',
    open: async (visitor, site) => {
      await enterAsRootAdmin(visitor, site)
      await openModeration(visitor)
    },
  },
  {
    name: 'moderation-actions',
    signedInAs: 'rootAdmin',
    open: async (visitor, site) => {
      await enterAsRootAdmin(visitor, site)
      addActions(site)
      const screen = await openModeration(visitor, 'Hareketler')
      await screen.getByText('Siteden yasakladı').last().waitFor()
    },
  },
  {
    name: 'moderation-actions-filtered',
    signedInAs: 'rootAdmin',
    open: async (visitor, site) => {
      await enterAsRootAdmin(visitor, site)
      addActions(site)
      const screen = await openModeration(visitor, 'Hareketler')
      const name = screen.getByLabel('Kişi', { exact: true })
      await name.fill(RUDE_GUEST)
      const more = screen.getByRole('button', { name: 'Filtreler' })
      if (await more.isVisible()) await more.click()
      await screen.getByLabel('Tür').selectOption({ label: 'Odadan yasakladı' })
      await screen.locator('.action', { hasText: 'Uygunsuz Nickname' }).waitFor()
      await screen.getByText('Siteden yasakladı').last().waitFor({ state: 'hidden' })
    },
  },
  {
    name: 'guest-actions',
    signedInAs: 'rootAdmin',
    open: async (visitor, site) => {
      await enterAsRootAdmin(visitor, site)
      addActions(site)
      await visitor.page.goto(`/room/1?${new URLSearchParams({ profil: RUDE_GUEST })}`)
      const profile = visitor.page.getByRole('dialog', { name: 'Profil', exact: true })
      await profile.getByRole('button', { name: 'Diğer işlemler' }).click()
      await visitor.page.getByRole('menuitem', { name: 'Aksiyonlar' }).click()
      await visitor.page.getByRole('dialog', { name: 'Aksiyonlar' }).getByText('Site yasağı').first().waitFor()
    },
  },
]

/** Adds a guest and entries about the guest to the action log, once. */
function addActions(site: Site): void {
  if (sitesWithActions.has(site)) return
  sitesWithActions.add(site)
  const now = Date.now()
  updateSiteDatabase(
    site,
    `insert into user (username, foldedName, gender, isGuest, role, lastLoginPlatform, createdAt, lastSeenAt)
     select '${RUDE_GUEST}', '${foldName(RUDE_GUEST)}', 'male', 1, 'guest', 'web', ${now}, ${now}
     where not exists (select 1 from user where username = '${RUDE_GUEST}')`,
  )
  const guest = `(select id from user where username = '${RUDE_GUEST}')`
  const admin = "(select min(id) from user where role = 'rootadmin')"
  const nameOf = (user: string) => `(select max(id) from actionName where userId = ${user})`
  for (const user of [guest, admin]) {
    updateSiteDatabase(
      site,
      `insert into actionName (userId, username, foldedName)
       select id, username, foldedName from user
       where id = ${user} and not exists (select 1 from actionName where userId = user.id)`,
    )
  }
  updateSiteDatabase(
    site,
    `insert into actionEntry
       (kind, actorId, actorNameId, targetId, targetNameId, roomId, subjectType, subjectId, reason, endsAt, details, at)
     select kind, ${admin}, ${nameOf(admin)}, iif(isAboutGuest, ${guest}, null), iif(isAboutGuest, ${nameOf(guest)}, null),
       roomId, subjectType, subjectId, reason, endsAt, details, ${now} - agoMs
     from (
       select 'siteBan' as kind, 1 as isAboutGuest, null as roomId, null as subjectType, null as subjectId,
         'Uygunsuz Mesaj' as reason, ${now + 3_600_000} as endsAt, null as details, 60000 as agoMs
       union all select 'siteBanLifted', 1, null, null, null, null, null, null, 600000
       union all select 'messageRemoved', 1, 1, 'roomMessage', 1, null, null, null, 900000
       union all select 'roomBan', 1, 1, null, null, 'Uygunsuz Nickname', null, null, 1200000
       union all select 'roomCleared', 0, 1, null, null, null, null, null, 1800000
       union all select 'giftKindChanged', 0, null, null, null, null, null,
         '{"name":"Lokum","price":15,"isActive":true,"priceBefore":12}', 90000000
       union all select 'roomGreetingChanged', 0, 1, null, null, null, null,
         '{"text":"Hoş geldiniz. Lütfen birbirinize nazik davranın ve oda kurallarına uyun."}', 90060000
       union all select 'sitePopupSent', 0, null, null, null, null, null,
         '{"text":"Bu gece 03.00 ile 03.10 arasında bakım var."}', 180000000
     )`,
  )
}
