import { foldName } from '../../src/shared/text/turkish.ts'
import { type Site, updateSiteDatabase } from '../drivers/site.ts'
import type { ChatPage } from '../journeys/chat-page.ts'
import { enterAsRootAdmin, type Screen } from './screen-steps.ts'

/** Members without a browser: name, gender, account privacy. */
const MEMBERS = [
  ['Nehir', 'female', 'public'],
  ['Barış', 'male', 'private'],
  ['Defne', 'female', 'public'],
  ['Uzunİsimliİnsan2026', null, 'public'],
] as const

/** Enters as a root admin who follows all members, is followed by one and asked by another. */
async function enterWithFollows(visitor: ChatPage, site: Site): Promise<void> {
  await enterAsRootAdmin(visitor, site)
  for (const [name, gender, privacy] of MEMBERS) {
    updateSiteDatabase(
      site,
      `insert into user (username, foldedName, gender, isGuest, role, lastLoginPlatform, accountPrivacy, createdAt, lastSeenAt)
       select '${name}', '${foldName(name)}', ${gender && `'${gender}'`}, 0, 'member', 'web', '${privacy}', 0, ${Date.now()}
       where not exists (select 1 from user where username = '${name}')`,
    )
    setFollow(site, 'Zeynep', name, true)
  }
  setFollow(site, 'Nehir', 'Zeynep', true)
  setFollow(site, 'Defne', 'Zeynep', false)
}

function setFollow(site: Site, follower: string, following: string, isAccepted: boolean): void {
  updateSiteDatabase(
    site,
    // The triggers of the counts do not see a row that is replaced.
    `insert into follow (followerId, followingId, isAccepted, at)
     select one.id, other.id, ${Number(isAccepted)}, other.id from user one, user other
     where one.username = '${follower}' and other.username = '${following}'
     on conflict do update set isAccepted = excluded.isAccepted`,
  )
}

async function openFollowing(visitor: ChatPage): Promise<void> {
  await visitor.openSideMenu()
  await visitor.page.getByRole('button', { name: `${MEMBERS.length} takip edilen` }).click()
  await visitor.page.getByRole('button', { name: 'Takipten Çık: Nehir' }).waitFor()
}

/** Opens a member's profile from the list of followed users. */
async function openMember(visitor: ChatPage, name: string): Promise<void> {
  await openFollowing(visitor)
  await visitor.page
    .getByRole('dialog', { name: 'Takip edilenler' })
    .getByRole('button', { name: new RegExp(`^${name}`) })
    .click()
  await visitor.page.getByRole('dialog', { name: 'Profil', exact: true }).getByText('takipçi').waitFor()
}

/** Follow lists, and profiles in every follow status. */
export const followScreens: Screen[] = [
  {
    name: 'follow-list',
    signedInAs: 'rootAdmin',
    open: async (visitor, site) => {
      await enterWithFollows(visitor, site)
      await openFollowing(visitor)
    },
  },
  {
    name: 'follow-followers',
    signedInAs: 'rootAdmin',
    open: async (visitor, site) => {
      await enterWithFollows(visitor, site)
      setFollow(site, 'Uzunİsimliİnsan2026', 'Zeynep', true)
      await visitor.openSideMenu()
      await visitor.page.getByRole('button', { name: '2 takipçi' }).click()
      await visitor.page.getByRole('button', { name: 'Takipçiyi Çıkar: Nehir' }).waitFor()
    },
  },
  {
    name: 'follow-profile',
    signedInAs: 'rootAdmin',
    open: async (visitor, site) => {
      await enterWithFollows(visitor, site)
      await openMember(visitor, 'Nehir')
      await visitor.page.getByRole('button', { name: 'Takipten Çık', exact: true }).waitFor()
    },
  },
  {
    name: 'follow-incoming',
    signedInAs: 'rootAdmin',
    open: async (visitor, site) => {
      await enterWithFollows(visitor, site)
      await openFollowing(visitor)
      updateSiteDatabase(site, "delete from follow where followingId = (select id from user where username = 'Defne')")
      await visitor.page.getByRole('button', { name: /^Defne/ }).click()
      await visitor.page.getByText('seni takip etmek istiyor.').waitFor()
      await visitor.page.getByRole('button', { name: 'Takip Et', exact: true }).waitFor()
    },
  },
  {
    name: 'follow-pending',
    signedInAs: 'rootAdmin',
    open: async (visitor, site) => {
      await enterWithFollows(visitor, site)
      await openFollowing(visitor)
      setFollow(site, 'Zeynep', 'Barış', false)
      await visitor.page.getByRole('button', { name: /^Barış/ }).click()
      await visitor.page.getByRole('button', { name: 'Takip isteği yanıt bekliyor' }).waitFor()
    },
  },
]
