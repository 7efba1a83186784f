import type { Browser, BrowserContextOptions } from 'playwright-core'
import { expect, test } from 'vitest'
import { openDesktopPage, openPhonePage } from '../drivers/browser.ts'
import { connectToSharedBrowser } from '../drivers/shared-browser.ts'
import { type SiteProcess, startSite } from '../drivers/site-process.ts'
import { ChatPage } from './chat-page.ts'

interface JourneyFixtures {
  /** The site of this file's journeys, and a new one in its place. */
  sites: { present: () => SiteProcess; replace: () => Promise<SiteProcess> }
  /** The real site. A journey that is tried again gets one where nobody has been: there its names are free as before. */
  site: SiteProcess
  browser: Browser
  /** Somebody at a desk. Errors in their page that the story does not expect fail it. */
  desktop: (changes?: BrowserContextOptions) => Promise<ChatPage>
  /** Somebody on a phone. */
  phone: (changes?: BrowserContextOptions) => Promise<ChatPage>
  /** Everyone of this story. */
  visitors: ChatPage[]
}

/** A test that plays in browsers: everybody in it has their own, and all of them close at its end. */
export const journey = test.extend<JourneyFixtures>({
  sites: [
    // biome-ignore lint/correctness/noEmptyPattern: vitest reads from it which fixtures are asked for
    async ({}, use) => {
      const start = () => startSite({ env: { MEYDAN_LIMIT_SCALE: '100' } })
      let site = await start()
      await use({
        present: () => site,
        replace: async () => {
          await site.stop()
          site = await start()
          return site
        },
      })
      await site.stop()
    },
    { scope: 'file' },
  ],
  site: async ({ sites, task }, use) => {
    await use(task.result?.retryCount ? await sites.replace() : sites.present())
  },
  browser: [
    // biome-ignore lint/correctness/noEmptyPattern: as above
    async ({}, use) => {
      const browser = await connectToSharedBrowser()
      await use(browser)
      await browser.close()
    },
    { scope: 'file' },
  ],
  // biome-ignore lint/correctness/noEmptyPattern: as above
  visitors: async ({}, use) => {
    const visitors: ChatPage[] = []
    await use(visitors)
    await Promise.all(visitors.map(({ page }) => page.context().close()))
    for (const { errors } of visitors) expect(errors.unexpectedErrors()).toEqual([])
  },
  desktop: ({ site, browser, visitors }, use) =>
    use(async (changes) => {
      const visitor = new ChatPage(await openDesktopPage(browser, { baseURL: site.origin, ...changes }))
      visitors.push(visitor)
      return visitor
    }),
  phone: ({ site, browser, visitors }, use) =>
    use(async (changes) => {
      const visitor = new ChatPage(await openPhonePage(browser, { baseURL: site.origin, ...changes }))
      visitors.push(visitor)
      return visitor
    }),
})
