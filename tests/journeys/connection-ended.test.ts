import { describe, expect } from 'vitest'
import { cutLine, lineJourney, named } from './connection.ts'

const MISSING = 'Tarayıcı kimliği bulunamadı. Lütfen tekrar giriş yapın.'

describe('a session that cannot go on', () => {
  lineJourney(
    '[ACC-28] [LIVE-12] without its browser id: says so at home, logged out, where one may enter again',
    async ({ network, desktop, phone }) => {
      for (const device of [desktop, phone]) {
        const visitor = await (await device({ baseURL: network.url })).enterAsGuest(named('Kimliksiz'))
        visitor.errors.expect(cutLine)
        visitor.errors.expect(/status of 401/)
        const { page } = visitor
        await page.evaluate(() => localStorage.clear())
        network.cut()
        await page.getByText('Bağlantı koptu.').waitFor()
        network.mend()

        await page.waitForURL((url) => url.pathname === '/')
        await page.getByRole('alert').getByText(MISSING).waitFor()
        expect(await page.getByText('olarak devam et').count()).toBe(0)
        const answer = await page.goto('/room/1')
        expect(new URL(answer?.url() ?? '').pathname).toBe('/')
        await visitor.enterAsGuest(named('Kimlikli'))
      }
    },
  )
})
