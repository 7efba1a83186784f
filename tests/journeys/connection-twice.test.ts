import type { Page } from 'playwright-core'
import { describe, expect } from 'vitest'
import { DUPLICATE_ANSWER_TIMEOUT_MS } from '../../src/shared/text/limits.ts'
import { granted, LiveLine } from '../live-line.ts'
import { makeRootAdmin } from '../site.ts'
import { isHeldBy, named, patiently } from './connection.ts'
import { journey } from './journey.ts'
import { Visitor } from './visitor.ts'

const TITLE = 'Meydan başka bir yerde açık'
const alreadyHere = (page: Page) => page.getByRole('alertdialog', { name: TITLE })
const isHome = ({ page }: Visitor) => page.waitForURL((url) => url.pathname === '/')

describe('somebody who is here twice', () => {
  journey(
    '[ACC-24] [ACC-25] is asked in the newer tab; to go on ends both at home, where one press enters again',
    async ({ desktop, visitors }) => {
      const name = named('İkiz')
      const older = await (await desktop()).enterAsGuest(name)
      const newer = new Visitor(await older.page.context().newPage())
      visitors.push(newer)
      await newer.page.goto('/room/1')
      await isHeldBy(newer, TITLE)
      await newer.page.getByText('Devam edersen oradaki oturum kapanır').waitFor()
      expect(await alreadyHere(older.page).count()).toBe(0)

      await newer.page.getByRole('button', { name: 'Devam Et' }).click()
      await Promise.all([isHome(older), isHome(newer)])
      await older.page.getByRole('alert').getByText('Oturumunuz başka bir yerde devam ediyor.').waitFor()
      await newer.page.getByRole('link', { name: `${name} olarak devam et` }).click()
      await newer.isInRoom()
      expect(await alreadyHere(newer.page).count()).toBe(0)
    },
  )

  journey(
    '[ACC-23] [ACC-24] is one person in a tab that was duplicated, and goes on there when the other is closed',
    async ({ desktop, visitors }) => {
      const older = await (await desktop()).enterAsGuest(named('Kopya'))
      const opened = older.page.context().waitForEvent('page')
      // A tab that a page opens starts with a copy of its session storage, as a duplicated one does.
      await older.page.evaluate(() => void window.open('/room/1'))
      const newer = new Visitor(await opened)
      visitors.push(newer)
      await alreadyHere(newer.page).waitFor()
      expect(older.page.url()).toMatch(/\/room\/1$/)

      await older.page.close()
      await alreadyHere(newer.page).waitFor({ state: 'hidden' })
      await newer.say('tek başıma')
      await newer.reads('Tek başıma')
    },
  )

  journey('[ACC-23] is nobody else after a reload', async ({ desktop }) => {
    const name = named('Yenilenen')
    const visitor = await (await desktop()).enterAsGuest(name)
    await visitor.page.reload()
    await visitor.isInRoom()
    await visitor.say('yine ben')
    await visitor.reads('Yine ben')
    expect(await alreadyHere(visitor.page).count()).toBe(0)
    await visitor.page.locator('.person-username', { hasText: name }).waitFor()
    expect((await visitor.people()).filter((username) => username === name)).toHaveLength(1)
  })

  journey(
    '[ACC-24] [ACC-25] [LIVE-37] is asked in another browser too, where the keyboard alone goes on',
    async ({ site, desktop, phone }) => {
      const name = named('Üye')
      const password = await makeRootAdmin(site, name)
      const atDesk = await (await desktop()).signIn(name, password)
      const onPhone = await (await phone()).signIn(name, password)
      await isHeldBy(onPhone, TITLE)
      await atDesk.say(`Masadayım ${name}`)
      await atDesk.reads(`Masadayım ${name}`)

      await onPhone.page.getByRole('button', { name: 'Devam Et' }).focus()
      await onPhone.page.keyboard.press('Enter')
      await Promise.all([isHome(atDesk), isHome(onPhone)])
      await onPhone.page.getByRole('link', { name: `${name} olarak devam et` }).click()
      await onPhone.isInRoom()
      await onPhone.say(`Telefondayım ${name}`)
      await onPhone.reads(`Telefondayım ${name}`)
      expect(await alreadyHere(onPhone.page).count()).toBe(0)
    },
  )

  journey(
    '[ACC-24] [ACC-25] is asked though the older tab is frozen, which finds itself at home when it thaws',
    async ({ desktop, visitors }) => {
      const older = await (await desktop()).enterAsGuest(named('Donmuş'))
      const browser = await older.page.context().newCDPSession(older.page)
      await browser.send('Page.setWebLifecycleState', { state: 'frozen' })
      const newer = new Visitor(await older.page.context().newPage())
      visitors.push(newer)
      await newer.page.goto('/room/1')
      await alreadyHere(newer.page).waitFor()
      await newer.page.getByRole('button', { name: 'Devam Et' }).click()
      await isHome(newer)
      await browser.send('Page.setWebLifecycleState', { state: 'active' })
      await isHome(older)
    },
  )

  journey(
    '[ACC-24] goes on unasked where the older one does not answer within a second, and late answers change nothing',
    async ({ site, desktop }) => {
      const name = named('Dilsiz')
      const newer = await (await desktop()).signIn(name, await makeRootAdmin(site, name))
      const token = await newer.page.evaluate(() => localStorage.getItem('token') ?? '')
      await newer.page.goto('/')
      const { line: older } = await LiveLine.open(site.origin, token)
      granted(await older.ask('joinRoom', { roomId: 1 }))
      // It hears nothing, not even that it is asked.
      older.socket.pause()
      await newer.page.goto('/room/1')
      await newer.isInRoom()
      const since = Date.now()
      await newer.say(`Yeniyim ${name}`)
      await newer.reads(`Yeniyim ${name}`)
      await expect.poll(() => Date.now() - since, patiently).toBeGreaterThan(DUPLICATE_ANSWER_TIMEOUT_MS)
      older.socket.resume()
      // Where this took very long, the site has given it up by now.
      await Promise.race([older.until(() => older.heard('message').length > 0), older.closed])
      await newer.say(`Buradayım ${name}`)
      await newer.reads(`Buradayım ${name}`)
      expect(await alreadyHere(newer.page).count()).toBe(0)
      older.socket.close()
    },
  )
})
