import { type Site, updateSiteDatabase } from '../drivers/site.ts'
import type { ChatPage } from '../journeys/chat-page.ts'
import { enterRoomWhenListed, type Screen, waitForUserList } from './screen-steps.ts'

/** Enters with up to six blocked users; resolves with the own username. */
async function enterWithBlocks(visitor: ChatPage, site: Site): Promise<string> {
  const name = await enterRoomWhenListed(visitor)
  updateSiteDatabase(
    site,
    `insert into block (blockerId, blockedId, createdAt) select own.id, other.id, other.id from user own, user other
     where own.username = '${name}' and other.id != own.id and other.role != 'rootadmin' order by other.id limit 6`,
  )
  return name
}

async function openBlockList(visitor: ChatPage): Promise<void> {
  await visitor.openContextMenu()
  await visitor.page.getByRole('menuitem', { name: 'Engellenen Kullanıcılar' }).click()
  await visitor.page.getByRole('dialog', { name: 'Engellenen Kullanıcılar' }).waitFor()
}

/** The list of blocked users, and blocking on a profile. */
export const blockScreens: Screen[] = [
  {
    name: 'blocks-none',
    signedInAs: 'guest',
    open: async (visitor) => {
      await enterRoomWhenListed(visitor)
      await openBlockList(visitor)
      await visitor.page.getByText('Henüz engellenmiş kullanıcı yok').waitFor()
    },
  },
  {
    name: 'blocks-list',
    open: async (visitor, site) => {
      await enterWithBlocks(visitor, site)
      await openBlockList(visitor)
      await visitor.page
        .getByRole('button', { name: /^Engeli Kaldır/ })
        .last()
        .waitFor()
    },
  },
  {
    name: 'blocks-profile',
    signedInAs: 'guest',
    open: async (visitor) => {
      await enterRoomWhenListed(visitor)
      await waitForUserList(visitor)
      await visitor.messageLog.locator('.group-person').last().click()
      await visitor.page.getByRole('button', { name: 'Engelle', exact: true }).waitFor()
    },
  },
  {
    name: 'blocks-confirm',
    signedInAs: 'guest',
    open: async (visitor) => {
      await enterRoomWhenListed(visitor)
      await waitForUserList(visitor)
      await visitor.messageLog.locator('.group-person').last().click()
      await visitor.page.getByRole('button', { name: 'Engelle', exact: true }).click()
      await visitor.page.getByRole('dialog', { name: 'Engelle' }).waitFor()
    },
  },
  {
    name: 'blocks-profile-blocked',
    open: async (visitor, site) => {
      const name = await enterRoomWhenListed(visitor)
      await waitForUserList(visitor)
      const person = visitor.messageLog.locator('.group-person').last()
      const other = await person.getAttribute('data-person')
      updateSiteDatabase(
        site,
        `insert into block (blockerId, blockedId, createdAt) select own.id, other.id, 1 from user own, user other
         where own.username = '${name}' and other.username = '${other}'`,
      )
      await person.click()
      await visitor.page.getByRole('button', { name: 'Engeli Kaldır', exact: true }).waitFor()
    },
  },
]
