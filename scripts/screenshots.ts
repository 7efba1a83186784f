import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { launchBrowser, openDesktopPage, openPhonePage } from '../tests/drivers/browser.ts'
import type { Site } from '../tests/drivers/site.ts'
import { PROJECT_ROOT } from '../tests/drivers/site-process.ts'
import { startTestSite } from '../tests/drivers/test-site.ts'
import { populateRoom } from '../tests/fixtures/populate-room.ts'
import { ChatPage } from '../tests/journeys/chat-page.ts'
import { screens } from '../tests/screens/all-screens.ts'
import type { Screen } from '../tests/screens/screen-steps.ts'

/**
 * `npm run screens`: screenshots of every screen in both themes at three widths, into `screens/`, which git ignores.
 * `npm run screens -- landing room-p` captures only screens whose names have such a prefix.
 */

const screenshotFolder = join(PROJECT_ROOT, 'screens')
const REDUCED_MOTION = { reducedMotion: 'reduce' } as const
const devices: Record<number, (browser: Browser, baseURL: string) => Promise<Page>> = {
  390: (browser, baseURL) => openPhonePage(browser, { baseURL, ...REDUCED_MOTION }),
  820: (browser, baseURL) =>
    openPhonePage(browser, { baseURL, viewport: { width: 820, height: 1180 }, ...REDUCED_MOTION }),
  1440: (browser, baseURL) => openDesktopPage(browser, { baseURL, ...REDUCED_MOTION }),
}

const namePrefixes = process.argv.slice(2)
const selectedScreens = screens.filter(
  ({ name }) => namePrefixes.length === 0 || namePrefixes.some((beginning) => name.startsWith(beginning)),
)
mkdirSync(screenshotFolder, { recursive: true })
const site = await startTestSite({ MEYDAN_LIMIT_SCALE: '1000' })
const browser = await launchBrowser()
try {
  const disconnectGuests = await populateRoom(site)
  for (const screen of selectedScreens)
    for (const width of Object.keys(devices))
      await captureScreen(screen, Number(width), browser, site).catch((error) => {
        // A failure of one screen does not stop the others.
        console.error(`${screen.name} at ${width} px: ${error}`)
        process.exitCode = 1
      })
  disconnectGuests()
} finally {
  await browser.close()
  await site.close()
}

async function captureScreen(screen: Screen, width: number, browser: Browser, site: Site): Promise<void> {
  const page = await devices[width]?.(browser, site.origin)
  if (!page) return
  await screen.open(new ChatPage(page), site)
  await page.evaluate(() => document.fonts.ready)
  for (const theme of ['dark', 'light']) {
    await page.evaluate((name) => document.documentElement.setAttribute('data-theme', name), theme)
    const path = join(screenshotFolder, `${screen.name}-${width}-${theme}.png`)
    await page.screenshot({ path, fullPage: screen.name.startsWith('landing') })
    console.log(path)
  }
  await page.context().close()
}
