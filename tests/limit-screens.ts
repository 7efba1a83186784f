import { randomUUID } from 'node:crypto'
import type { Visitor } from './journeys/visitor.ts'
import { enterAsGuest, granted, LiveLine } from './live-line.ts'
import {
  change,
  enterAsRootAdmin,
  enterLive,
  enterPeople,
  heeding,
  keepSaying,
  openPeople,
  type Screen,
  waitForPeople,
} from './screen-steps.ts'
import type { Site } from './site.ts'

let crowdedRooms = 70

/** Names, words and numbers as long as they come, and words that run from right to left. Answers the room's path. */
async function overfill(site: Site): Promise<string> {
  const roomId = ++crowdedRooms
  const name = `Gece yarısından sonra uyuyamayanların toplandığı oda ${roomId}`
  change(
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
    const { token } = await enterAsGuest(site.origin, username, 'female')
    const { line } = await LiveLine.open(site.origin, token)
    granted(await line.ask('joinRoom', { roomId }))
    change(
      site,
      `insert into message (roomId, senderId, content, run, audience, clientId, createdAt)
       select ${roomId}, id, '${content}', 1, null, '${randomUUID()}', ${Date.now()}
       from user where username = '${username}'`,
    )
  }
  return `/room/${roomId}`
}

async function enterOverfilled(visitor: Visitor, site: Site): Promise<void> {
  const tell = await heeding(visitor)
  await enterLive(visitor)
  await visitor.page.goto(await overfill(site))
  await visitor.page.locator('.person-viewer').waitFor({ state: 'attached' })
  keepSaying(visitor, () => {
    tell('activeUsersCount', { count: 123_456_789 })
    tell('roomUserCountUpdate', { roomId: 1, activeUsers: 123_456_789 })
  })
  await visitor.page.getByText('123.456.789').first().waitFor()
}

/** As somebody sees it who has asked their browser for letters of twice the size. */
async function enlarge({ page }: Visitor): Promise<void> {
  await page.evaluate(() => document.documentElement.style.setProperty('font-size', '200%'))
}

/** Nothing to show, nothing that came, and more than there is room for. */
export const limits: Screen[] = [
  {
    name: 'landing-large-text',
    show: async (visitor) => {
      await visitor.page.goto('/')
      await enlarge(visitor)
    },
  },
  {
    name: 'room-large-text',
    show: async (visitor) => {
      await enterLive(visitor)
      await enlarge(visitor)
    },
  },
  {
    name: 'room-people-large-text',
    show: async (visitor) => {
      await enterPeople(visitor)
      await enlarge(visitor)
    },
  },
  { name: 'room-overfilled', show: enterOverfilled },
  {
    name: 'room-people-overfilled',
    show: async (visitor, site) => {
      await enterOverfilled(visitor, site)
      await openPeople(visitor)
    },
  },
  {
    name: 'room-all-users-failed',
    complaint: /Failed to load resource|net::ERR/,
    show: async (visitor, site) => {
      await visitor.page.route('**/api/users/all-users*', (route) => route.abort())
      await enterAsRootAdmin(visitor, site)
      await waitForPeople(visitor)
      await visitor.page.getByRole('button', { name: 'Tüm kullanıcılar' }).click()
      await visitor.page.getByText('Kullanıcılar alınırken bir hata oluştu.').waitFor()
    },
  },
  {
    name: 'room-search-nothing',
    show: async (visitor) => {
      await enterLive(visitor)
      await visitor.page.getByRole('button', { name: 'Mesajlarda ara' }).click()
      await visitor.page.getByRole('combobox', { name: 'Mesajlarda ara' }).fill('penguen')
      await visitor.page.getByText('“penguen” için mesaj bulunamadı.').waitFor()
    },
  },
  {
    name: 'room-bans-none',
    show: async (visitor, site) => {
      await enterAsRootAdmin(visitor, site)
      await visitor.openMenu()
      await visitor.page.getByRole('menuitem', { name: 'Yasaklı Kullanıcılar' }).click()
      await visitor.page.getByText('Yasaklı kullanıcı yok.').waitFor()
    },
  },
]
