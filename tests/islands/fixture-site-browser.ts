import type { Browser, BrowserContext } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach } from 'vitest'
import { launchTestBrowser } from '../drivers/browser.ts'
import { PATIENCE_MS } from '../drivers/patience.ts'
import { type FixtureSite, serveFixtures } from './serve-fixtures.ts'

/** The fixtures in a browser: one site a file, a fresh context a test. Read it within tests only. */
export function setUpFixtureBrowser(): { site: FixtureSite; browser: Browser; context: BrowserContext } {
  // Filled before the first test reads it.
  const fixture = {} as { site: FixtureSite; browser: Browser; context: BrowserContext }
  beforeAll(async () => {
    fixture.site = await serveFixtures()
    fixture.browser = await launchTestBrowser()
  })
  afterAll(async () => {
    await fixture.browser.close()
    await fixture.site.close()
  })
  beforeEach(async () => {
    fixture.context = await fixture.browser.newContext({ baseURL: fixture.site.origin })
    fixture.context.setDefaultTimeout(PATIENCE_MS)
  })
  afterEach(() => fixture.context.close())
  return fixture
}
