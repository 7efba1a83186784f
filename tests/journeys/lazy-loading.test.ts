import { describe, expect } from 'vitest'
import { journey } from './journey.ts'

let nameCount = 0
/** A failed try may leave its guest's name in use. */
const uniqueName = (name: string): string => `${name}${++nameCount}`

const SEARCH_CHUNK = /\/assets\/search-sheet-.*\.js$/

describe('a lazily loaded overlay', () => {
  journey('[SHELL-27] shows a loading state until it has loaded', async ({ desktop }) => {
    const visitor = await desktop()
    const { page } = visitor
    await page.routeWebSocket(/\/live$/, (socket) => {
      const server = socket.connectToServer()
      socket.onMessage((frame) => frame.includes('searchMessages') || server.send(frame))
    })
    await visitor.enterAsGuest(uniqueName('Bekleyen'))
    const { promise: isLetThrough, resolve: letThrough } = Promise.withResolvers<void>()
    await page.route(SEARCH_CHUNK, async (route) => {
      await isLetThrough
      await route.continue()
    })
    await page.getByRole('button', { name: 'Mesajlarda ara' }).click()
    await page.locator('html[data-loading]').waitFor()
    letThrough()
    const field = page.getByRole('combobox', { name: 'Mesajlarda ara' })
    await field.fill('neredesin')
    expect(await page.locator('html[data-loading]').count()).toBe(0)
    const ring = page.getByRole('img', { name: 'Aranıyor...' })
    const [width = 0, height] = await ring.evaluate((shown: HTMLElement) => [shown.offsetWidth, shown.offsetHeight])
    expect(width).toBeGreaterThan(10)
    expect(height).toBe(width)
  })

  journey('[SHELL-27] opens with its styles although the first request failed', async ({ desktop }) => {
    const visitor = await (await desktop()).enterAsGuest(uniqueName('Kopan'))
    const { page } = visitor
    visitor.errors.allow(/Failed to load resource/)
    for (const file of [SEARCH_CHUNK, /\/assets\/search-sheet-.*\.css$/]) {
      await page.route(file, (route) => route.abort(), { times: 1 })
    }
    await page.getByRole('button', { name: 'Mesajlarda ara' }).click()
    await page.getByRole('combobox', { name: 'Mesajlarda ara' }).waitFor()
    expect(await page.locator('link[rel=stylesheet][href*=search-sheet]').count()).toBe(1)
  })

  journey('[SHELL-27] shows a failure, and the next press retries', async ({ desktop }) => {
    const visitor = await (await desktop()).enterAsGuest(uniqueName('Çevrimdışı'))
    const { page } = visitor
    visitor.errors.allow(/Failed to load resource|Failed to fetch/)
    await page.route(SEARCH_CHUNK, (route) => route.abort())
    const button = page.getByRole('button', { name: 'Mesajlarda ara' })
    await button.click()
    await page.getByRole('alert').filter({ hasText: 'Açılamadı. Bağlantını denetleyip tekrar dene.' }).waitFor()
    await page.unroute(SEARCH_CHUNK)
    await button.click()
    await page.getByRole('combobox', { name: 'Mesajlarda ara' }).waitFor()
  })
})
