import type { Page } from 'playwright-core'
import { describe, expect } from 'vitest'
import { countText } from '../../src/client/ui/turkish-number.ts'
import { enterAsGuest, granted, LiveLine } from '../live-line.ts'
import { crowd } from '../populate.ts'
import { makeRootAdmin, type Site } from '../site.ts'
import { change, counts, list, peopleJourney, profile, REFUSED, row, search, visit } from './people.ts'

/** Several pages of people. How 2,000 scroll is measured in bench/people.ts: to let so many in takes minutes on a busy machine. */
const CROWD = 500
const ROOM = 2
const NAMES = Array.from({ length: CROWD }, (_, n) => `Kişi${1001 + n}`)
const LAST = `Kişi${1000 + CROWD}`
/** Whoever is read in the long list, and how many come while that is so: more than is told one by one. */
const FAR = 400
const NEWCOMERS = 150

/** The room is filled through real sockets, which takes long on a busy machine. */
const patiently = { timeout: 300_000 }

const crowds = new WeakMap<Site, Promise<unknown>>()

/** Fills the room when the first story of a site asks for it; its people stay as long as the site. */
async function fill(site: Site): Promise<void> {
  const filled = crowds.get(site) ?? crowd(site, CROWD, ROOM)
  crowds.set(site, filled)
  await filled
}

/** Goes down the list as fast as it loads, and answers who was seen, top to bottom. */
function goDown(page: Page): Promise<string[]> {
  return page.evaluate(async () => {
    const scroller = document.querySelector<HTMLElement>('.panel-scroll:has(.people)')
    if (!scroller) throw new Error('there is no list')
    const drawn = (): HTMLElement[] => [...scroller.querySelectorAll<HTMLElement>('[data-row]')]
    const isRowThere = (at: number): boolean => scroller.querySelector(`[data-row="${at}"]`) !== null
    const isAllThere = (): boolean => {
      const count = Number(scroller.querySelector('[aria-setsize]')?.getAttribute('aria-setsize'))
      const [first, last] = [scroller.scrollTop, scroller.scrollTop + scroller.clientHeight - 1]
      const isLoaded = !scroller.querySelector('.person--blank')
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
  peopleJourney(
    '[PRES-12] [PRES-13] [PRES-14] [PRES-15] is gone through top to bottom, searched, and followed',
    patiently,
    async ({ site, desktop, of, stay }) => {
      await fill(site)
      const self = of('Aramacı')
      const visitor = await (await desktop()).enterAsGuest(self)
      const { page } = visitor
      await visit(visitor, `/room/${ROOM}`, self)
      await counts(page, countText(CROWD + 1))
      expect(await list(page).getByRole('listitem').count()).toBeLessThan(60)
      expect(await row(page, 'Kişi1001').boundingBox()).toMatchObject({ height: 80 })

      // The first hundred are loaded only, so it is the server that finds this one, and whoever comes beside them.
      await search(page).fill(`KİŞI${LAST.slice(4)}`)
      await visitor.sees(LAST)
      const late = await stay(`${LAST}a`, ROOM)
      await visitor.sees(LAST, `${LAST}a`)
      late.socket.close()
      await visitor.sees(LAST)
      await search(page).fill('hiç kimse')
      await page.getByText('Eşleşen kullanıcı bulunamadı!').waitFor()
      await search(page).fill('')
      await row(page, 'Kişi1001').waitFor()
      await page.getByRole('button', { name: 'Kadınlar' }).click()
      await page.getByText(REFUSED).first().waitFor()

      expect(await goDown(page)).toEqual([self, ...NAMES])
      expect(await list(page).getByRole('listitem').count()).toBeLessThan(60)
      await search(page).fill(LAST.toUpperCase())
      await visitor.sees(LAST)
    },
  )

  peopleJourney(
    '[PRES-11] [PRES-21] [CHAT-26] stays where it is read while many come, go and change, and whoever is not loaded can be mentioned',
    patiently,
    async ({ site, desktop, of, stay }) => {
      await fill(site)
      const [self, early] = [of('Dalgın'), of('Erken')]
      const far = `Kişi${1000 + FAR}`
      const visitor = await (await desktop()).enterAsGuest(self)
      const { page } = visitor
      await visit(visitor, `/room/${ROOM}`, self)
      await counts(page, countText(CROWD + 1))
      await visitor.composer.fill(`selam @${far.toUpperCase()}`)
      await page.getByRole('option', { name: far }).waitFor()
      await visitor.composer.press('Tab')
      await page.waitForFunction((name) => document.querySelector('textarea')?.value === `selam @${name} `, far)

      const scroller = page.locator('.people-panel .panel-scroll')
      const scrollTo = (rows: number) => scroller.evaluate((element, top) => element.scrollTo(0, top), rows * 80)
      const place = async () => Math.round((await row(page, far).boundingBox())?.y ?? Number.NaN)
      await scrollTo(FAR - 1)
      await row(page, far).waitFor()
      const before = await place()
      const sendHome = await crowd(site, NEWCOMERS, ROOM, early)
      await counts(page, countText(CROWD + NEWCOMERS + 1))
      expect(await place()).toBe(before)

      // Whoever comes beside them is seen in their place, as what they are from then on, and so is who leaves.
      const { token } = await enterAsGuest(site.origin, `${far}a`)
      const { line } = await LiveLine.open(site.origin, token)
      granted(await line.ask('joinRoom', { roomId: ROOM }))
      await row(page, `${far}a`).waitFor()
      change(
        site,
        'update user set premiumUntil = 9999999999999, username = ?, foldedName = ? where username = ?',
        `${far}b`,
        `${far}b`,
        `${far}a`,
      )
      const again = await LiveLine.open(site.origin, token)
      granted(await again.line.ask('joinRoom', { roomId: ROOM }))
      await row(page, `${far}b`).getByText('Premium').waitFor()
      await row(page, `${far}a`).waitFor({ state: 'detached' })
      expect(await place()).toBe(before)
      line.socket.close()
      again.line.socket.close()
      await row(page, `${far}b`).waitFor({ state: 'detached' })
      expect(await place()).toBe(before)

      await scrollTo(0)
      await row(page, `${early}1001`).waitFor()
      await scrollTo(CROWD + NEWCOMERS)
      await row(page, LAST).waitFor()
      sendHome()
      await counts(page, countText(CROWD + 1))
      await row(page, LAST).waitFor()
      await stay(`${LAST}z`, ROOM)
      await row(page, `${LAST}z`).waitFor()
    },
  )

  peopleJourney(
    '[PRES-10] [PRES-13] [PRES-14] [PRES-15] is filtered, listed with the whole site, and loses whoever is banned, for a root admin',
    patiently,
    async ({ site, desktop, of }) => {
      await fill(site)
      const [self, admin] = [of('Bakan'), of('Amir')]
      const guest = await (await desktop()).enterAsGuest(self)
      await visit(guest, `/room/${ROOM}`, self)
      const root = await (await desktop()).signIn(admin, await makeRootAdmin(site, admin))
      const { page } = root
      await visit(root, `/room/${ROOM}`, admin)
      await counts(page, countText(CROWD + 2))
      await page.getByRole('button', { name: 'Kadınlar' }).click()
      await page.getByText(`${countText(CROWD / 2)} kişi bulundu.`).waitFor({ state: 'attached' })
      expect(await goDown(page)).toEqual(NAMES.filter((_, n) => n % 2 === 0))
      await page.getByRole('button', { name: 'Kadınlar' }).click()

      await page.getByRole('button', { name: 'Tüm kullanıcılar' }).click()
      const everyone = page.getByRole('searchbox', { name: 'Kullanıcılarda ara...' })
      await everyone.waitFor()
      await row(page, admin).waitFor()
      expect((await goDown(page)).filter((name) => NAMES.includes(name))).toEqual(NAMES)

      const banned = 'Kişi1222'
      await search(guest.page).fill(banned)
      await guest.sees(banned)
      await everyone.fill(banned)
      await row(page, banned).getByRole('img', { name: 'Online' }).waitFor()
      await row(page, banned).click()
      await profile(page).getByRole('button', { name: 'Diğer işlemler' }).click()
      await page.getByRole('menuitem', { name: 'Siteden Yasakla' }).click()
      await page
        .getByRole('dialog', { name: 'Siteden Yasakla' })
        .getByRole('button', { name: 'Yasakla', exact: true })
        .click()
      await guest.page.getByText('Eşleşen kullanıcı bulunamadı!').waitFor()
      await counts(guest.page, countText(CROWD + 1))
    },
  )
})
