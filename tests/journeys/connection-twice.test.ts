import type { Page } from 'playwright-core'
import { describe, expect } from 'vitest'
import { journey } from './journey.ts'
import { Visitor } from './visitor.ts'

const alreadyHere = (page: Page) => page.getByRole('alertdialog', { name: 'Meydan başka bir yerde açık' })
const isHome = ({ page }: Visitor) => page.waitForURL((url) => url.pathname === '/')

describe('somebody who is here twice', () => {
  journey(
    '[ACC-24] [ACC-25] is asked in the newer tab; to go on ends both at home, where one press enters again',
    async ({ desktop, visitors }) => {
      const older = await (await desktop()).enterAsGuest('İkiz')
      const newer = new Visitor(await older.page.context().newPage())
      visitors.push(newer)
      await newer.page.goto('/room/1')
      await alreadyHere(newer.page).waitFor()
      expect(await alreadyHere(older.page).count()).toBe(0)

      await newer.page.getByRole('button', { name: 'Devam Et' }).click()
      await Promise.all([isHome(older), isHome(newer)])
      await older.page.getByRole('alert').getByText('Oturumunuz başka bir yerde devam ediyor.').waitFor()
      await newer.page.getByRole('link', { name: 'İkiz olarak devam et' }).click()
      await newer.isInRoom()
      expect(await alreadyHere(newer.page).count()).toBe(0)
    },
  )

  journey(
    '[ACC-23] [ACC-24] is one person in a tab that was duplicated, and goes on there when the other is closed',
    async ({ desktop, visitors }) => {
      const older = await (await desktop()).enterAsGuest('Kopya')
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
    const visitor = await (await desktop()).enterAsGuest('Yenilenen')
    await visitor.page.reload()
    await visitor.isInRoom()
    await visitor.say('yine ben')
    await visitor.reads('Yine ben')
    expect(await alreadyHere(visitor.page).count()).toBe(0)
    await visitor.sees('Yenilenen')
  })
})
