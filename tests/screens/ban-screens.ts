import { type Site, updateSiteDatabase } from '../drivers/site.ts'
import type { ChatPage } from '../journeys/chat-page.ts'
import { openModeration } from './moderation-screens.ts'
import { enterAsRootAdmin, enterRoomWhenListed, type Screen, waitForUserList } from './screen-steps.ts'

/** Opens a page as a user who was banned while away; lifts the ban once the page shows it. */
async function openAsBannedUser(visitor: ChatPage, site: Site, path: string): Promise<void> {
  const { page } = visitor
  const userIdQuery = `select id from user where username = '${await enterRoomWhenListed(visitor)}'`
  await page.goto('about:blank')
  updateSiteDatabase(site, `delete from session where userId in (${userIdQuery})`)
  updateSiteDatabase(
    site,
    `insert into restriction (kind, userId, reason, duration, imposedById, at, endsAt)
     select 'siteBan', id, 'Uygunsuz Mesaj', '1hr', id, 0, ${Date.now() + 3_600_000} from user where id in (${userIdQuery})`,
  )
  await page.goto(path)
  await page.getByText(/^Siteden yasaklandın\. Sebep: /).waitFor()
  updateSiteDatabase(site, "update restriction set liftedAt = at where kind = 'siteBan' and liftedAt is null")
}

/** Opens the form of this name from the profile of the last guest who wrote. */
async function openBanForm(visitor: ChatPage, site: Site, name: string): Promise<void> {
  await enterAsRootAdmin(visitor, site)
  const { page, messageLog } = visitor
  await waitForUserList(visitor)
  await messageLog.locator('.group-person').last().click()
  await page.getByRole('button', { name: 'Diğer işlemler' }).click()
  await page.getByRole('menuitem', { name }).click()
  await page.getByRole('dialog', { name }).waitFor()
}

/** Bans, ghost bans and what a banned user sees. */
export const banScreens: Screen[] = [
  {
    name: 'room-ban-form',
    signedInAs: 'rootAdmin',
    open: (visitor, site) => openBanForm(visitor, site, 'Siteden Yasakla'),
  },
  {
    name: 'ghost-ban-form',
    signedInAs: 'rootAdmin',
    open: (visitor, site) => openBanForm(visitor, site, 'Ghost Ban'),
  },
  {
    name: 'ghost-messages',
    signedInAs: 'rootAdmin',
    open: async (visitor, site) => {
      await enterAsRootAdmin(visitor, site)
      const guestMessages = 'roomId = 1 and senderId in (select id from user where isGuest = 1)'
      updateSiteDatabase(site, `update message set audience = 'actor' where ${guestMessages}`)
      await visitor.page.reload()
      await visitor.messageLog.getByText('Hayalet').first().waitFor()
      updateSiteDatabase(site, `update message set audience = null where ${guestMessages}`)
    },
  },
  {
    name: 'room-bans',
    signedInAs: 'rootAdmin',
    open: async (visitor, site) => {
      await enterAsRootAdmin(visitor, site)
      const ban = (duration: string, reason: string, lastsMs: number | null) =>
        updateSiteDatabase(
          site,
          `insert into restriction (kind, userId, reason, duration, imposedById, at, endsAt)
           select 'siteBan', guest.id, '${reason}', '${duration}', root.id, ${Date.now()}, ${lastsMs && Date.now() + lastsMs}
           from user guest, user root where guest.isGuest = 1 and root.username = 'Zeynep'
           order by guest.id limit 1 offset (select count(*) from restriction where kind = 'siteBan' and liftedAt is null)`,
        )
      ban('1hr', 'Uygunsuz Mesaj', 3_600_000)
      ban('indefinite', 'Uygunsuz Nickname', null)
      ban('10min', 'Uygunsuz Fotoğraf', 600_000)
      await openModeration(visitor, 'Yasaklar')
      await visitor.page
        .getByRole('button', { name: /^Ban Kaldır/ })
        .last()
        .waitFor()
      updateSiteDatabase(site, "update restriction set liftedAt = at where kind = 'siteBan' and liftedAt is null")
    },
  },
  {
    name: 'room-clear',
    signedInAs: 'rootAdmin',
    open: async (visitor, site) => {
      await enterAsRootAdmin(visitor, site)
      await visitor.openContextMenu()
      await visitor.page.getByRole('menuitem', { name: 'Oda Mesajlarını Temizle' }).click()
      await visitor.page.getByRole('dialog', { name: 'Oda Mesajlarını Temizle' }).waitFor()
    },
  },
  {
    name: 'room-banned',
    expectedError: /status of 403/,
    open: (visitor, site) => openAsBannedUser(visitor, site, '/room/1'),
  },
  { name: 'landing-banned', open: (visitor, site) => openAsBannedUser(visitor, site, '/') },
]
