import { connectGuests } from '../fixtures/populate-room.ts'
import { enterAsRootAdmin, enterUserList, openUserList, type Screen } from './screen-steps.ts'

let crowdCount = 0

/** The user lists and profiles. */
export const roomPeopleScreens: Screen[] = [
  {
    name: 'room-people',
    signedInAs: 'guest',
    open: (visitor) => enterUserList(visitor),
  },
  {
    name: 'room-people-crowd',
    open: async (visitor, site) => {
      const disconnectGuests = await connectGuests(site, 250, 2, `Kalabalık${++crowdCount}.`)
      visitor.page.once('close', disconnectGuests)
      await enterUserList(visitor, '/room/2')
      await visitor.page.locator('.panel-scroll:has(.people)').evaluate((list) => list.scrollTo(0, 80 * 60))
      await visitor.page.locator(`.person-username:text-is("Kalabalık${crowdCount}.1065")`).waitFor()
    },
  },
  {
    name: 'room-people-no-match',
    signedInAs: 'guest',
    open: async (visitor) => {
      await enterUserList(visitor)
      await visitor.page.getByRole('searchbox', { name: 'Odadaki kullanıcılarda ara...' }).fill('hiç kimse')
      await visitor.page.getByText('Eşleşen kullanıcı bulunamadı!').waitFor()
    },
  },
  {
    name: 'room-people-premium',
    signedInAs: 'guest',
    open: async (visitor) => {
      await enterUserList(visitor)
      await visitor.page.getByRole('button', { name: 'Kadınlar' }).click()
      await visitor.page.getByText("Cinsiyet filtreleme yalnızca Premium'lara özel!").first().waitFor()
    },
  },
  {
    name: 'room-profile',
    signedInAs: 'guest',
    open: async (visitor) => {
      await enterUserList(visitor)
      await visitor.page.locator('.person', { hasText: 'Gülşah' }).click()
      await visitor.page
        .getByRole('dialog', { name: 'Profil' })
        .getByText(/çevrimiçi$|Son görülme/i)
        .waitFor()
    },
  },
  {
    name: 'room-profile-menu',
    signedInAs: 'rootAdmin',
    open: async (visitor, site) => {
      await enterAsRootAdmin(visitor, site)
      await openUserList(visitor)
      await visitor.page.locator('.person', { hasText: 'Ozan' }).click()
      await visitor.page.getByRole('button', { name: 'Diğer işlemler' }).click()
      await visitor.page.getByRole('menuitem', { name: 'Kullanıcı adını kopyala' }).waitFor()
    },
  },
  {
    name: 'room-all-users',
    signedInAs: 'rootAdmin',
    open: async (visitor, site) => {
      await enterAsRootAdmin(visitor, site)
      await visitor.page.locator('.person-viewer').waitFor({ state: 'attached' })
      await visitor.page.getByRole('button', { name: 'Tüm kullanıcılar' }).click()
      await visitor.page.getByRole('searchbox', { name: 'Kullanıcılarda ara...' }).waitFor()
      await visitor.page.locator('.person-username', { hasText: 'Deniz' }).first().waitFor()
    },
  },
]
