import { foldName } from '../../src/shared/text/turkish.ts'
import { type Site, updateSiteDatabase } from '../drivers/site.ts'
import type { ChatPage } from '../journeys/chat-page.ts'
import { enterAsRootAdmin, type Screen } from './screen-steps.ts'

const RECIPIENT = 'Defne'

/** Opens the profile of a member who has received gifts, as a root admin who has seen them in the action log. */
async function openProfile(visitor: ChatPage, site: Site) {
  await enterAsRootAdmin(visitor, site)
  updateSiteDatabase(
    site,
    `insert into user (username, foldedName, gender, isGuest, role, lastLoginPlatform, age, city, premiumUntil, createdAt, lastSeenAt)
     select '${RECIPIENT}', '${foldName(RECIPIENT)}', 'female', 0, 'member', 'web', 24, 'Bursa', 9999999999999, 0, ${Date.now()}
     where not exists (select 1 from user where username = '${RECIPIENT}')`,
  )
  const recipient = `(select id from user where username = '${RECIPIENT}')`
  updateSiteDatabase(
    site,
    `insert or ignore into giftTotal select ${recipient}, id, 12 - id from giftKind where id in (1, 2, 6, 9)`,
  )
  updateSiteDatabase(
    site,
    `insert into gift (giftKindId, senderId, recipientId, roomId, priceKurus, shareKurus, createdAt)
     select 2, (select id from user where username = 'Zeynep'), ${recipient}, 1, 1000, 700, ${Date.now() - 60_000}
     where not exists (select 1 from gift)`,
  )
  await visitor.page.goto(`/room/1?${new URLSearchParams({ profil: RECIPIENT })}`)
  const profile = visitor.page.getByRole('dialog', { name: 'Profil', exact: true })
  await profile.getByRole('img', { name: 'Taç' }).waitFor()
  return profile
}

/** Gifts on a profile, and the catalogue. */
export const giftScreens: Screen[] = [
  {
    name: 'gift-profile',
    open: async (visitor, site) => {
      const profile = await openProfile(visitor, site)
      await profile.getByText('Hareketler:').scrollIntoViewIfNeeded()
    },
  },
  {
    name: 'gift-picker',
    open: async (visitor, site) => {
      const profile = await openProfile(visitor, site)
      await profile.getByRole('region', { name: 'Hediyeler' }).getByRole('button').click()
      const picker = visitor.page.getByRole('dialog', { name: 'Hediye gönder' })
      await picker.getByText('Kalp').click()
      await picker.getByText(/^Bakiyen: \d/).waitFor()
    },
  },
]
