// @module-tag deep
import type { Page } from 'playwright-core'
import { describe, expect } from 'vitest'
import { countText } from '../../src/client/core/ui/format/turkish-number.ts'
import { expectAnswer, LiveConnection } from '../drivers/live-connection.ts'
import { updateSiteDatabase } from '../drivers/site.ts'
import { startTestSite, type TestSite } from '../drivers/test-site.ts'
import { connectGuests } from '../fixtures/populate-room.ts'
import { uniqueName } from './connection-fixtures.ts'
import { journey } from './journey.ts'
import {
  PREMIUM_FILTER_TEXT,
  profileDialog,
  userList,
  userRow,
  userSearchField,
  waitForUserCount,
  waitForUserList,
} from './user-list-fixtures.ts'

/** Several pages of people. bench/people.ts measures 2,000, whose joins take minutes on a busy machine. */
const CROWD_SIZE = 500
const ROOM = 2
const NAMES = Array.from({ length: CROWD_SIZE }, (_, n) => `Kişi${1001 + n}`)
const LAST = `Kişi${1000 + CROWD_SIZE}`
/** The user in view of the long list, and a number of joins that is too large for single events. */
const FAR_INDEX = 400
const JOINER_COUNT = 150

/** The room is filled through real sockets, which takes long on a busy machine. */
const SLOW_TEST = { timeout: 300_000 }

/** Journeys that share one site, because filling its room takes longer than they do. */
const crowdJourney = journey.extend<{ crowdedSite: TestSite; site: TestSite }>({
  crowdedSite: [
    async ({ siteEnv }, use) => {
      const site = await startTestSite(siteEnv)
      const sendHome = await connectGuests(site, CROWD_SIZE, ROOM)
      await use(site)
      sendHome()
      await site.close()
    },
    { scope: 'file' },
  ],
  site: ({ crowdedSite }, use) => use(crowdedSite),
})

/** Scrolls the list as fast as it loads and returns the names, top to bottom. */
function scrollThroughList(page: Page): Promise<string[]> {
  return page.evaluate(async () => {
    const scroller = document.querySelector<HTMLElement>('.panel-scroll:has(.people)')
    if (!scroller) throw new Error('there is no list')
    const drawn = (): HTMLElement[] => [...scroller.querySelectorAll<HTMLElement>('[data-row]')]
    const isRowThere = (at: number): boolean => scroller.querySelector(`[data-row="${at}"]`) !== null
    const isAllThere = (): boolean => {
      const count = Number(scroller.querySelector('[aria-setsize]')?.getAttribute('aria-setsize'))
      const [first, last] = [scroller.scrollTop, scroller.scrollTop + scroller.clientHeight - 1]
      const isLoaded = !scroller.querySelector('.person[aria-hidden]')
      return isLoaded && isRowThere(Math.floor(first / 80)) && isRowThere(Math.min(count - 1, Math.floor(last / 80)))
    }
    const seen: string[] = []
    scroller.scrollTop = 0
    for (;;) {
      while (!isAllThere()) await new Promise(requestAnimationFrame)
      for (const one of drawn()) {
        seen[Number(one.dataset.row)] = one.querySelector('.person-username')?.textContent ?? ''
      }
      const before = scroller.scrollTop
      scroller.scrollTop += scroller.clientHeight
      if (scroller.scrollTop === before) return seen
    }
  })
}

describe('a room with hundreds of people', () => {
  crowdJourney(
    '[PRES-12] [PRES-13] [PRES-14] [PRES-15] scrolls top to bottom, is searched, and updates',
    SLOW_TEST,
    async ({ desktop, speaker }) => {
      const self = uniqueName('Aramacı')
      const visitor = await (await desktop()).openRoomAsGuest(self, ROOM)
      const { page } = visitor
      await waitForUserList(visitor, self)
      await waitForUserCount(page, countText(CROWD_SIZE + 1))
      expect(await userList(page).getByRole('listitem').count()).toBeLessThan(60)
      expect(await userRow(page, 'Kişi1001').boundingBox()).toMatchObject({ height: 80 })

      // Only the first hundred are loaded, so the server finds this user and those who join beside them.
      await userSearchField(page).fill(`KİŞI${LAST.slice(4)}`)
      await visitor.waitForUsers(LAST)
      const late = await speaker(`${LAST}a`, { roomId: ROOM })
      await visitor.waitForUsers(LAST, `${LAST}a`)
      late.leave()
      await visitor.waitForUsers(LAST)
      await userSearchField(page).fill('hiç kimse')
      await page.getByText('Eşleşen kullanıcı bulunamadı!').waitFor()
      await userSearchField(page).fill('')
      await userRow(page, 'Kişi1001').waitFor()
      await page.getByRole('button', { name: 'Kadınlar' }).click()
      await page.getByText(PREMIUM_FILTER_TEXT).first().waitFor()

      expect(await scrollThroughList(page)).toEqual([self, ...NAMES])
      expect(await userList(page).getByRole('listitem').count()).toBeLessThan(60)
      await userSearchField(page).fill(LAST.toUpperCase())
      await visitor.waitForUsers(LAST)
    },
  )

  crowdJourney(
    '[PRES-11] [PRES-21] [CHAT-26] keeps its scroll position while many join, leave and change, and mentions users who are not loaded',
    SLOW_TEST,
    async ({ site, desktop, speaker }) => {
      const [self, early] = [uniqueName('Dalgın'), uniqueName('Erken')]
      const far = `Kişi${1000 + FAR_INDEX}`
      const visitor = await (await desktop()).openRoomAsGuest(self, ROOM)
      const { page } = visitor
      await waitForUserList(visitor, self)
      await waitForUserCount(page, countText(CROWD_SIZE + 1))
      await visitor.composer.fill(`selam @${far.toUpperCase()}`)
      await page.getByRole('option', { name: far }).waitFor()
      await visitor.composer.press('Tab')
      await page.waitForFunction((name) => document.querySelector('textarea')?.value === `selam @${name} `, far)

      const scroller = page.locator('.side-panel .panel-scroll')
      const scrollTo = (rows: number) => scroller.evaluate((element, top) => element.scrollTo(0, top), rows * 80)
      const place = async () => Math.round((await userRow(page, far).boundingBox())?.y ?? Number.NaN)
      await scrollTo(FAR_INDEX - 1)
      await userRow(page, far).waitFor()
      const before = await place()
      const sendHome = await connectGuests(site, JOINER_COUNT, ROOM, early)
      await waitForUserCount(page, countText(CROWD_SIZE + JOINER_COUNT + 1))
      expect(await place()).toBe(before)

      // Joins, updates and leaves beside them appear in their place.
      const beside = await speaker(`${far}a`, { roomId: ROOM })
      await userRow(page, `${far}a`).waitFor()
      updateSiteDatabase(
        site,
        'update user set premiumUntil = 9999999999999, username = ?, foldedName = ? where username = ?',
        `${far}b`,
        `${far}b`,
        `${far}a`,
      )
      const again = await LiveConnection.open(site.origin, beside.signedIn.token)
      expectAnswer(await again.connection.request('joinRoom', { roomId: ROOM }))
      await userRow(page, `${far}b`).getByText('Premium').waitFor()
      await userRow(page, `${far}a`).waitFor({ state: 'detached' })
      expect(await place()).toBe(before)
      beside.leave()
      again.connection.socket.close()
      await userRow(page, `${far}b`).waitFor({ state: 'detached' })
      expect(await place()).toBe(before)

      await scrollTo(0)
      await userRow(page, `${early}1001`).waitFor()
      await scrollTo(CROWD_SIZE + JOINER_COUNT)
      await userRow(page, LAST).waitFor()
      sendHome()
      await waitForUserCount(page, countText(CROWD_SIZE + 1))
      await userRow(page, LAST).waitFor()
      await speaker(`${LAST}z`, { roomId: ROOM })
      await userRow(page, `${LAST}z`).waitFor()
    },
  )

  crowdJourney(
    '[PRES-10] [PRES-13] [PRES-14] [PRES-15] is filtered, lists the whole site, and drops a banned user, for a root admin',
    SLOW_TEST,
    async ({ site, desktop }) => {
      const [self, admin] = [uniqueName('Bakan'), uniqueName('Amir')]
      const guest = await (await desktop()).openRoomAsGuest(self, ROOM)
      await waitForUserList(guest, self)
      const root = await (await desktop()).openRoomAs(admin, await site.createRootAdmin(admin), ROOM)
      const { page } = root
      await waitForUserList(root, admin)
      await waitForUserCount(page, countText(CROWD_SIZE + 2))
      await page.getByRole('button', { name: 'Kadınlar' }).click()
      await page.getByText(`${countText(CROWD_SIZE / 2)} kişi bulundu.`).waitFor({ state: 'attached' })
      expect(await scrollThroughList(page)).toEqual(NAMES.filter((_, n) => n % 2 === 0))
      await page.getByRole('button', { name: 'Kadınlar' }).click()

      await page.getByRole('button', { name: 'Tüm kullanıcılar' }).click()
      const everyone = page.getByRole('searchbox', { name: 'Kullanıcılarda ara...' })
      await everyone.waitFor()
      await userRow(page, admin).waitFor()
      expect((await scrollThroughList(page)).filter((name) => NAMES.includes(name))).toEqual(NAMES)

      const banned = 'Kişi1222'
      await userSearchField(guest.page).fill(banned)
      await guest.waitForUsers(banned)
      await everyone.fill(banned)
      await userRow(page, banned).getByRole('img', { name: 'Online' }).waitFor()
      await userRow(page, banned).click()
      await profileDialog(page).getByRole('button', { name: 'Diğer işlemler' }).click()
      await page.getByRole('menuitem', { name: 'Siteden Yasakla' }).click()
      await page
        .getByRole('dialog', { name: 'Siteden Yasakla' })
        .getByRole('button', { name: 'Yasakla', exact: true })
        .click()
      await guest.page.getByText('Eşleşen kullanıcı bulunamadı!').waitFor()
      await waitForUserCount(guest.page, countText(CROWD_SIZE + 1))
    },
  )
})
