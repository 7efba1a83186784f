import type { Browser, BrowserContextOptions } from 'playwright-core'
import { expect, test } from 'vitest'
import { launchTestBrowser, openDesktopPage, openPhonePage } from '../drivers/browser.ts'
import { findFirefox } from '../drivers/find-browser.ts'
import { launchFirefox } from '../drivers/firefox.ts'
import { LiveUser, type LiveUserOptions } from '../drivers/live-user.ts'
import { type SiteProcess, startSite } from '../drivers/site-process.ts'
import { startTestSite, type TestSite } from '../drivers/test-site.ts'
import { ChatPage } from './chat-page.ts'

export interface JourneyFixtures {
  /** Config of the site. Extend a journey to replace them: an override would last for the next files of the worker. */
  siteEnv: Record<string, string>
  /** Without motion a fifth of the processor time is saved; `movingJourney` has it. */
  motion: 'reduce' | 'no-preference'
  /** A new site for each journey, in this process. */
  site: TestSite
  browser: Browser
  /** Opens a desktop page. Unexpected errors in it fail the journey. */
  desktop: (changes?: BrowserContextOptions) => Promise<ChatPage>
  /** Opens a phone page. */
  phone: (changes?: BrowserContextOptions) => Promise<ChatPage>
  /** Connects a user without a browser, who speaks and listens. */
  speaker: (username: string, options?: LiveUserOptions) => Promise<LiveUser>
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
  site: async ({ siteEnv }, use) => {
    const site = await startTestSite(siteEnv)
    await use(site)
    await site.close()
  },
  browser: [
    // biome-ignore lint/correctness/noEmptyPattern: vitest reads from it which fixtures are asked for
    async ({}, use) => {
      const browser = await launchTestBrowser()
      await use(browser)
      await browser.close()
    },
    { scope: 'worker' },
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
  speaker: async ({ site }, use) => {
    const speakers: LiveUser[] = []
    await use(async (username, options) => {
      const speaker = await LiveUser.enter(site, username, options)
      speakers.push(speaker)
      return speaker
    })
    for (const speaker of speakers) speaker.leave()
  },
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

/** A journey about what comes and goes, with motion. */
export const movingJourney = journey.extend<Pick<JourneyFixtures, 'motion'>>({
  motion: ['no-preference', { scope: 'file' }],
})

/** A journey with a site in a process of its own, which it may kill, signal and restart. */
export const processJourney = journey.extend<{ site: SiteProcess }>({
  site: async ({ siteEnv }, use) => {
    const site = await startSite({ env: siteEnv })
    await use(site)
    await site.stop()
  },
})
