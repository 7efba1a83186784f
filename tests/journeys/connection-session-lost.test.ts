// @module-tag deep
import { describe, expect } from 'vitest'
import { CONNECTION_ERRORS, networkJourney } from './connection-fixtures.ts'

const BROWSER_ID_MISSING = 'Tarayıcı kimliği bulunamadı. Lütfen tekrar giriş yap.'

describe('a session that cannot continue', () => {
  networkJourney(
    '[ACC-28] [LIVE-12] ends without its browser id: the landing page shows the reason and accepts a new sign-in',
    async ({ network, desktop, phone }) => {
      for (const [index, device] of [desktop, phone].entries()) {
        const visitor = await (await device({ baseURL: network.url })).enterAsGuest(`Kimliksiz${index}`)
        visitor.errors.allow(CONNECTION_ERRORS)
        visitor.errors.allow(/status of 401/)
        const { page } = visitor
        await page.evaluate(() => localStorage.clear())
        network.refuseConnections()
        await page.getByText('Bağlantı koptu.').waitFor()
        network.restore()

        await page.waitForURL((url) => url.pathname === '/')
        await page.getByRole('alert').getByText(BROWSER_ID_MISSING).waitFor()
        expect(await page.getByText('olarak devam et').count()).toBe(0)
        await page.goto('/room/1')
        await page.getByRole('heading', { name: 'Adını yaz, odaya gir' }).waitFor()
        await visitor.enterAsGuest(`Kimlikli${index}`)
      }
    },
  )
})
