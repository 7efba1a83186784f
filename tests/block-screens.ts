import type { Visitor } from './journeys/visitor.ts'
import { change, enterLive, type Screen, waitForPeople } from './screen-steps.ts'
import type { Site } from './site.ts'

/** As people whom they have blocked and some who have gone since. */
async function blockSome(visitor: Visitor, site: Site): Promise<string> {
  const name = await enterLive(visitor)
  change(
    site,
    `insert into block select own.id, other.id, other.id from user own, user other
     where own.username = '${name}' and other.id != own.id and other.role != 'rootadmin' order by other.id limit 6`,
  )
  return name
}

async function openList(visitor: Visitor): Promise<void> {
  await visitor.openMenu()
  await visitor.page.getByRole('menuitem', { name: 'Engellenen Kullanıcılar' }).click()
  await visitor.page.getByRole('dialog', { name: 'Engellenen Kullanıcılar' }).waitFor()
}

/** What people see of blocks. */
export const blocks: Screen[] = [
  {
    name: 'blocks-none',
    show: async (visitor) => {
      await enterLive(visitor)
      await openList(visitor)
      await visitor.page.getByText('Henüz engellenmiş kullanıcı yok').waitFor()
    },
  },
  {
    name: 'blocks-list',
    show: async (visitor, site) => {
      await blockSome(visitor, site)
      await openList(visitor)
      await visitor.page
        .getByRole('button', { name: /^Engeli Kaldır/ })
        .last()
        .waitFor()
    },
  },
  {
    name: 'blocks-profile',
    show: async (visitor) => {
      await enterLive(visitor)
      await waitForPeople(visitor)
      await visitor.log.locator('.group-person').last().click()
      await visitor.page.getByRole('button', { name: 'Engelle', exact: true }).waitFor()
    },
  },
  {
    name: 'blocks-ask',
    show: async (visitor) => {
      await enterLive(visitor)
      await waitForPeople(visitor)
      await visitor.log.locator('.group-person').last().click()
      await visitor.page.getByRole('button', { name: 'Engelle', exact: true }).click()
      await visitor.page.getByRole('dialog', { name: 'Engelle' }).waitFor()
    },
  },
  {
    name: 'blocks-profile-blocked',
    show: async (visitor, site) => {
      const name = await enterLive(visitor)
      await waitForPeople(visitor)
      const person = visitor.log.locator('.group-person').last()
      const other = await person.getAttribute('data-person')
      change(
        site,
        `insert into block select own.id, other.id, 1 from user own, user other
         where own.username = '${name}' and other.username = '${other}'`,
      )
      await person.click()
      await visitor.page.getByRole('button', { name: 'Engeli Kaldır', exact: true }).waitFor()
    },
  },
]
