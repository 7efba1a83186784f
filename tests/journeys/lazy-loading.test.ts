import { describe, expect } from 'vitest'
import type { ChatPage } from './chat-page.ts'
import { CONNECTION_ERRORS, CONNECTION_RESTORED_TEXT, waitForStatus } from './connection-fixtures.ts'
import { journey, processJourney } from './journey.ts'
import { findSmallTargets, MIN_TARGET_PX, MIN_TOUCH_TARGET_PX } from './target-sizes.ts'

/** Code that a room loads without a click. */
const PARTS = ['deferred', 'navigate']
/** The part that a URL belongs to. */
const partOf = (url: string): string | undefined => PARTS.find((part) => new RegExp(`/assets/${part}-`).test(url))

/** Enters room 1 without waiting for parts that are not loaded yet. */
async function openRoom({ page, composer }: ChatPage, username: string): Promise<void> {
  await page.request.post('/api/users/guest-login', { data: { username, lastLoginPlatform: 'web' } })
  await page.goto('/room/1')
  await page.locator('m-island[data-live]').filter({ has: composer }).waitFor()
}

const OVERLAY_CHUNK = /\/assets\/overlays-.*\.js$/
const SEARCH_CHUNK = /\/assets\/search-sheet-.*\.js$/

describe('a lazily loaded overlay', () => {
  journey(
    '[SHELL-27] [SHELL-121] shows a loading state until it has loaded, not with the room',
    async ({ desktop }) => {
      const visitor = await desktop()
      const { page } = visitor
      const loaded: string[] = []
      page.on('response', (answer) => loaded.push(new URL(answer.url()).pathname))
      await page.routeWebSocket(/\/live$/, (socket) => {
        const server = socket.connectToServer()
        socket.onMessage((frame) => frame.includes('searchMessages') || server.send(frame))
      })
      await visitor.openRoomAsGuest('Bekleyen')
      await expect.poll(() => PARTS.filter((part) => !loaded.some((path) => partOf(path) === part))).toEqual([])
      expect(loaded.filter((path) => /\/assets\/(lazy|overlays|search-sheet)-/.test(path))).toEqual([])
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
    },
  )

  journey('[SHELL-150] does not open after Esc or Back while it loads', { tags: 'deep' }, async ({ desktop }) => {
    const { page } = await (await desktop()).openRoomAsGuest('Cayan')
    const { promise: isLetThrough, resolve: letThrough } = Promise.withResolvers<void>()
    await page.route(OVERLAY_CHUNK, async (route) => {
      await isLetThrough
      await route.continue()
    })
    const open = page.locator('m-island[data-live]').getByRole('button', { name: /^Tüm Odalar/ })
    for (const cancel of [() => page.keyboard.press('Escape'), () => page.goBack()]) {
      await open.first().click()
      await cancel()
    }
    await open.first().click()
    letThrough()
    await page.getByRole('dialog').first().waitFor()
    expect(await page.getByRole('dialog').allTextContents()).toEqual([expect.stringMatching(/^Tüm Odalar/)])
  })

  journey(
    '[SHELL-27] opens with its styles although the first request failed',
    { tags: 'deep' },
    async ({ desktop }) => {
      const visitor = await (await desktop()).openRoomAsGuest('Kopan')
      const { page } = visitor
      visitor.errors.allow(/Failed to load resource/)
      for (const file of [SEARCH_CHUNK, /\/assets\/search-sheet-.*\.css$/]) {
        await page.route(file, (route) => route.abort(), { times: 1 })
      }
      await page.getByRole('button', { name: 'Mesajlarda ara' }).click()
      await page.getByRole('combobox', { name: 'Mesajlarda ara' }).waitFor()
      expect(await page.locator('link[rel=stylesheet][href*=search-sheet]').count()).toBe(1)
    },
  )

  journey('[SHELL-27] shows a failure, and the next click retries', { tags: 'deep' }, async ({ desktop }) => {
    const visitor = await (await desktop()).openRoomAsGuest('Çevrimdışı')
    const { page } = visitor
    visitor.errors.allow(/Failed to load resource/)
    await page.route(SEARCH_CHUNK, (route) => route.abort())
    const button = page.getByRole('button', { name: 'Mesajlarda ara' })
    await button.click()
    await page.getByRole('alert').filter({ hasText: 'Açılamadı. Bağlantını denetleyip tekrar dene.' }).waitFor()
    await page.unroute(SEARCH_CHUNK)
    await button.click()
    await page.getByRole('combobox', { name: 'Mesajlarda ara' }).waitFor()
  })
})

describe('on a phone', () => {
  journey(
    '[SHELL-53] [SHELL-150] a sheet and a panel open with a skeleton at once, and try again',
    async ({ phone }) => {
      const visitor = await (await phone()).openRoomAsGuest('İskelet')
      const { page } = visitor
      visitor.errors.allow(/Failed to load resource/)
      const skeleton = page.getByRole('dialog', { name: 'Açılıyor...' })
      const settings = page.getByRole('dialog', { name: 'Ayarlar' })
      const { promise: isLetThrough, resolve: letThrough } = Promise.withResolvers<void>()
      await page.route(OVERLAY_CHUNK, async (route) => {
        await isLetThrough
        await route.abort()
      })
      const open = page.getByRole('button', { name: 'Ayarlar' })
      await open.tap()
      await skeleton.getByRole('status', { name: 'Yükleniyor...' }).waitFor()
      const height = (await skeleton.boundingBox())?.height
      // Closed, it does not come later.
      await page.goBack()
      await skeleton.waitFor({ state: 'hidden' })
      await open.tap()
      letThrough()
      await skeleton.getByText('Açılamadı. Bağlantını denetleyip tekrar dene.').waitFor()
      expect((await skeleton.boundingBox())?.height).toBe(height)
      expect(await settings.count()).toBe(0)
      await page.unrouteAll()
      // Esc and Back find the one or the other at any time.
      const openAtReplacement = page.evaluate(() => {
        const { promise, resolve } = Promise.withResolvers<number>()
        new MutationObserver((_, observer) => {
          if (document.querySelector('.overlay-skeleton')) return
          observer.disconnect()
          resolve(document.querySelectorAll('dialog:modal').length)
        }).observe(document.body, { childList: true, subtree: true })
        return promise
      })
      await skeleton.getByRole('button', { name: 'Tekrar dene' }).tap()
      expect(await openAtReplacement).toBe(1)
      await settings.waitFor()
      expect(await skeleton.count()).toBe(0)
      await page.keyboard.press('Escape')
      await settings.waitFor({ state: 'hidden' })

      await page.route(/\/assets\/notifications-panel-.*\.js$/, (route) => route.abort())
      await page.getByRole('button', { name: /^Bildirimler/ }).tap()
      const panel = page.getByRole('dialog', { name: 'Bildirimler' })
      await panel.getByRole('status', { name: 'Yükleniyor...' }).waitFor()
      await panel.getByText('Açılamadı. Bağlantını denetleyip tekrar dene.').waitFor()
      await page.unrouteAll()
      await panel.getByRole('button', { name: 'Tekrar dene' }).tap()
      await panel.locator('.skeleton, .skeleton-failure').waitFor({ state: 'detached' })
      expect(await panel.isVisible()).toBe(true)
    },
  )
})

describe('a part of the page that loads without a click', () => {
  journey(
    '[SHELL-84] adds no size to a target: each is large enough before',
    { tags: 'deep' },
    async ({ phone, desktop, speaker }) => {
      await (await speaker('Yazan')).sendMessage('Geldiniz mi?')
      for (const [open, name, minPx] of [
        [phone, 'Bekleyen', MIN_TOUCH_TARGET_PX],
        [desktop, 'Duran', MIN_TARGET_PX],
      ] as const) {
        const visitor = await open()
        const { page } = visitor
        const { promise: isLetThrough, resolve: letThrough } = Promise.withResolvers<void>()
        await page.route(
          ({ pathname }) => partOf(pathname) !== undefined,
          async (route) => {
            await isLetThrough
            await route.continue()
          },
        )
        await openRoom(visitor, name)
        await visitor.waitForMessage('Geldiniz mi?')
        expect(await findSmallTargets(page, minPx)).toEqual([])
        letThrough()
      }
    },
  )

  processJourney(
    '[SHELL-36] works after the site was killed while it loaded, without a click and without an error',
    { tags: 'deep' },
    async ({ site, desktop }) => {
      const visitor = await desktop()
      const { page } = visitor
      visitor.errors.allow(CONNECTION_ERRORS)
      // Interception disables the browser's cache, so an import fetches again what was fetched before the kill.
      visitor.errors.allow(/Failed to fetch dynamically imported module/)
      const [requested, failed, loaded] = [new Set<string>(), new Set<string>(), new Set<string>()]
      const siteKilled = Promise.withResolvers<void>()
      await page.route(
        ({ pathname }) => partOf(pathname) !== undefined,
        async (route) => {
          requested.add(partOf(route.request().url()) ?? '')
          await siteKilled.promise
          await route.continue()
        },
      )
      // Other code, such as the list of conversations, may be requested only after the kill, and fails too.
      page.on('console', (line) => {
        const part = line.type() === 'warning' ? partOf(line.text()) : undefined
        if (part) failed.add(part)
      })
      page.on('response', (answer) => answer.ok() && loaded.add(partOf(answer.url()) ?? ''))
      await openRoom(visitor, 'Kesilen')
      await expect.poll(() => PARTS.filter((part) => !requested.has(part))).toEqual([])
      await site.kill9()
      siteKilled.resolve()
      await expect.poll(() => [...failed].sort()).toEqual(PARTS)

      // The dialogs say so for a moment, as soon as they have loaded: perhaps before the restart is noticed here.
      await Promise.all([waitForStatus(visitor, CONNECTION_RESTORED_TEXT), site.restart()])
      await expect.poll(() => PARTS.filter((part) => !loaded.has(part))).toEqual([])
      await page.getByRole('button', { name: 'Emoji seç' }).click()
      await page.getByRole('dialog', { name: 'Emoji seç' }).waitFor()
      await page.evaluate(() => Object.assign(window, { isSameDocument: true }))
      await page.getByRole('navigation').getByRole('link', { name: /Müzik/ }).click()
      await page.getByRole('heading', { name: '#Müzik' }).waitFor()
      expect(await page.evaluate(() => 'isSameDocument' in window)).toBe(true)
    },
  )
})
