import type { Browser, BrowserContextOptions } from 'playwright-core'
import { expect, test } from 'vitest'
import { launchTestBrowser, openDesktopPage, openPhonePage } from '../drivers/browser.ts'
import { findFirefox } from '../drivers/find-browser.ts'
import { launchFirefox } from '../drivers/firefox.ts'
import { type SiteProcess, startSite } from '../drivers/site-process.ts'
import { ChatPage } from './chat-page.ts'

interface JourneyFixtures {
  /** Settings of the site. Journeys about the wait after joining override them. */
  siteEnv: Record<string, string>
  /** Without motion a fifth of the processor time is saved; journeys about what comes and goes ask for motion. */
  motion: 'reduce' | 'no-preference'
  /** The site of this file's journeys, and a function that replaces it. */
  sites: { present: () => SiteProcess; replace: () => Promise<SiteProcess> }
  /** The real site. A retried journey gets a fresh one, where its names are free. */
  site: SiteProcess
  browser: Browser
  /** Opens a desktop page. Unexpected errors in it fail the journey. */
  desktop: (changes?: BrowserContextOptions) => Promise<ChatPage>
  /** Opens a phone page. */
  phone: (changes?: BrowserContextOptions) => Promise<ChatPage>
  firefoxBrowser: Browser
  /** Opens a desktop page in Firefox. Only in `describeInFirefox`. */
  firefox: () => Promise<ChatPage>
  /** All pages of this journey. */
  visitors: ChatPage[]
}

/** A browser test: each user has a context of their own, closed at the end. */
export const journey = test.extend<JourneyFixtures>({
  siteEnv: [{ MEYDAN_LIMIT_SCALE: '100', MEYDAN_JOIN_WAIT_MS: '0' }, { scope: 'file' }],
  motion: ['reduce', { scope: 'file' }],
  sites: [
    async ({ siteEnv }, use) => {
      const start = () => startSite({ env: siteEnv })
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
    // biome-ignore lint/correctness/noEmptyPattern: vitest reads from it which fixtures are asked for
    async ({}, use) => {
      const browser = await launchTestBrowser()
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
    for (const { errors } of visitors) expect(errors.unexpectedErrors().join('\n')).toBe('')
  },
  desktop: ({ site, browser, motion, visitors }, use) =>
    use(async (changes) => {
      const visitor = new ChatPage(
        await openDesktopPage(browser, { baseURL: site.origin, reducedMotion: motion, ...changes }),
      )
      visitors.push(visitor)
      return visitor
    }),
  phone: ({ site, browser, motion, visitors }, use) =>
    use(async (changes) => {
      const visitor = new ChatPage(
        await openPhonePage(browser, { baseURL: site.origin, reducedMotion: motion, ...changes }),
      )
      visitors.push(visitor)
      return visitor
    }),
  firefoxBrowser: [
    // biome-ignore lint/correctness/noEmptyPattern: as above
    async ({}, use) => {
      const browser = await launchFirefox(findFirefox() ?? '')
      await use(browser)
      await browser.close()
    },
    { scope: 'file' },
  ],
  firefox: ({ site, firefoxBrowser, visitors }, use) =>
    use(async () => {
      const visitor = new ChatPage(await openDesktopPage(firefoxBrowser, { baseURL: site.origin }))
      visitors.push(visitor)
      return visitor
    }),
})
