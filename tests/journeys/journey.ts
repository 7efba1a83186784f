import type { Browser, BrowserContextOptions } from 'playwright-core'
import { expect, test } from 'vitest'
import { launchBrowser, newDesktop, newPhone } from '../browser.ts'
import { type Site, startSite } from '../site.ts'
import { Visitor } from './visitor.ts'

interface Stage {
  /** The real site; one for each file of journeys. */
  site: Site
  browser: Browser
  /** Somebody at a desk. Errors in their page that the story does not expect fail it. */
  desktop: (changes?: BrowserContextOptions) => Promise<Visitor>
  /** Somebody on a phone. */
  phone: (changes?: BrowserContextOptions) => Promise<Visitor>
  /** Everyone of this story. */
  visitors: Visitor[]
}

/** A test that plays in browsers: everybody in it has their own, and all of them close at its end. */
export const journey = test.extend<Stage>({
  site: [
    // biome-ignore lint/correctness/noEmptyPattern: vitest reads from it which fixtures are asked for
    async ({}, use) => {
      const site = await startSite({ env: { MEYDAN_LIMIT_SCALE: '100' } })
      await use(site)
      await site.stop()
    },
    { scope: 'file' },
  ],
  browser: [
    // biome-ignore lint/correctness/noEmptyPattern: as above
    async ({}, use) => {
      const browser = await launchBrowser()
      await use(browser)
      await browser.close()
    },
    { scope: 'file' },
  ],
  // biome-ignore lint/correctness/noEmptyPattern: as above
  visitors: async ({}, use) => {
    const visitors: Visitor[] = []
    await use(visitors)
    await Promise.all(visitors.map(({ page }) => page.context().close()))
    for (const { errors } of visitors) expect(errors.unexpected()).toEqual([])
  },
  desktop: ({ site, browser, visitors }, use) =>
    use(async (changes) => {
      const visitor = new Visitor(await newDesktop(browser, { baseURL: site.origin, ...changes }))
      visitors.push(visitor)
      return visitor
    }),
  phone: ({ site, browser, visitors }, use) =>
    use(async (changes) => {
      const visitor = new Visitor(await newPhone(browser, { baseURL: site.origin, ...changes }))
      visitors.push(visitor)
      return visitor
    }),
})
