import { randomUUID } from 'node:crypto'
import { expectAnswer, LiveConnection, signInAsGuest } from '../drivers/live-connection.ts'
import { type Site, updateSiteDatabase } from '../drivers/site.ts'
import type { ChatPage } from '../journeys/chat-page.ts'
import { openModeration } from './moderation-screens.ts'
import {
  enterAsRootAdmin,
  enterRoomWhenListed,
  enterUserList,
  interceptConnection,
  openUserList,
  repeatUntilClosed,
  type Screen,
  waitForUserList,
} from './screen-steps.ts'

let lastRoomId = 70

/** Creates names, words and numbers of maximum length, and right-to-left text. Returns the path of the room. */
async function createOverfilledRoom(site: Site): Promise<string> {
  const roomId = ++lastRoomId
  const name = `Gece yarısından sonra uyuyamayanların toplandığı oda ${roomId}`
  updateSiteDatabase(
    site,
    `insert into room (id, name, foldedName, capacity, isList, isActive, createdAt, updatedAt)
     values (${roomId}, '${name}', '${name}', 100, 0, 1, 0, 0)`,
  )
  const words = [
    'Kısa',
    'Muvaffakiyetsizleştiricileştiriveremeyebileceklerimizdenmişsinizcesine'.repeat(2),
    'مرحبا بالجميع، كيف حالكم؟',
    'https://meydan.example/bir/cok/uzun/adres/ki/hicbir/satira/sigmaz?ve=sonu&gelmez=hic#bitti',
    'Uzun bir söz: '.concat('akşam olunca meydan kalabalıklaşır, herkes bir şey anlatır. '.repeat(6)),
  ]
  for (const [index, content] of words.entries()) {
    const username = `${'WM'.repeat(8)}${roomId}.${index}`
    const { token } = await signInAsGuest(site.origin, username, 'female')
    const { connection } = await LiveConnection.open(site.origin, token)
    expectAnswer(await connection.request('joinRoom', { roomId }))
    updateSiteDatabase(
      site,
      `insert into message (roomId, senderId, content, consecutiveCount, audience, clientId, createdAt)
       select ${roomId}, id, '${content}', 1, null, '${randomUUID()}', ${Date.now()}
       from user where username = '${username}'`,
    )
  }
  return `/room/${roomId}`
}

async function enterOverfilled(visitor: ChatPage, site: Site): Promise<void> {
  const sendEvent = await interceptConnection(visitor)
  await enterRoomWhenListed(visitor)
  await visitor.page.goto(await createOverfilledRoom(site))
  await visitor.page.locator('.person-viewer').waitFor({ state: 'attached' })
  repeatUntilClosed(visitor, () => {
    sendEvent('activeUsersCount', { count: 123_456_789 })
    sendEvent('roomUserCountUpdate', { rooms: [{ roomId: 1, activeUsers: 123_456_789 }] })
  })
  await visitor.page.getByText('123.456.789').first().waitFor()
}

/** Doubles the text size, as a browser setting does. */
async function doubleTextSize({ page }: ChatPage): Promise<void> {
  await page.evaluate(() => document.documentElement.style.setProperty('font-size', '200%'))
}

/** Screens with empty, failed and overflowing content. */
export const edgeCaseScreens: Screen[] = [
  {
    name: 'landing-large-text',
    signedInAs: 'nobody',
    open: async (visitor) => {
      await visitor.page.goto('/')
      await doubleTextSize(visitor)
    },
  },
  {
    name: 'room-large-text',
    signedInAs: 'guest',
    open: async (visitor) => {
      await enterRoomWhenListed(visitor)
      await doubleTextSize(visitor)
    },
  },
  {
    name: 'room-people-large-text',
    signedInAs: 'guest',
    open: async (visitor) => {
      await enterUserList(visitor)
      await doubleTextSize(visitor)
    },
  },
  { name: 'room-overfilled', open: enterOverfilled },
  {
    name: 'room-people-overfilled',
    open: async (visitor, site) => {
      await enterOverfilled(visitor, site)
      await openUserList(visitor)
    },
  },
  {
    name: 'room-all-users-failed',
    signedInAs: 'rootAdmin',
    expectedError: /Failed to load resource|net::ERR/,
    open: async (visitor, site) => {
      await enterAsRootAdmin(visitor, site)
      await visitor.page.route('**/api/users/all-users*', (route) => route.abort())
      await waitForUserList(visitor)
      await visitor.page.getByRole('button', { name: 'Tüm kullanıcılar' }).click()
      await visitor.page.getByText('Kullanıcılar alınırken bir hata oluştu.').waitFor()
      await visitor.page.unroute('**/api/users/all-users*')
    },
  },
  {
    name: 'room-search-nothing',
    signedInAs: 'guest',
    open: async (visitor) => {
      await enterRoomWhenListed(visitor)
      await visitor.page.getByRole('button', { name: 'Mesajlarda ara' }).click()
      await visitor.page.getByRole('combobox', { name: 'Mesajlarda ara' }).fill('penguen')
      await visitor.page.getByText('“penguen” için mesaj bulunamadı.').waitFor()
    },
  },
  {
    name: 'room-bans-none',
    signedInAs: 'rootAdmin',
    open: async (visitor, site) => {
      await enterAsRootAdmin(visitor, site)
      updateSiteDatabase(site, "update restriction set liftedAt = at where kind = 'siteBan' and liftedAt is null")
      await openModeration(visitor, 'Yasaklar')
      await visitor.page.getByText('Yasaklı kullanıcı yok.').waitFor()
    },
  },
]
