import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { launchBrowser, newDesktop, newPhone } from '../tests/browser.ts'
import { Visitor } from '../tests/journeys/visitor.ts'
import { populate } from '../tests/populate.ts'
import type { Screen } from '../tests/screen-steps.ts'
import { screens } from '../tests/screens.ts'
import { root, type Site, startSite } from '../tests/site.ts'

/**
 * `npm run screens`: pictures of every screen in both themes at three widths, into `screens/`, which git ignores.
 * `npm run screens -- landing room-p` takes only those whose names begin so.
 */

const folder = join(root, 'screens')
const still = { reducedMotion: 'reduce' } as const
const devices: Record<number, (browser: Browser, baseURL: string) => Promise<Page>> = {
  390: (browser, baseURL) => newPhone(browser, { baseURL, ...still }),
  820: (browser, baseURL) => newPhone(browser, { baseURL, viewport: { width: 820, height: 1180 }, ...still }),
  1440: (browser, baseURL) => newDesktop(browser, { baseURL, ...still }),
}

const beginnings = process.argv.slice(2)
const wanted = screens.filter(
  ({ name }) => beginnings.length === 0 || beginnings.some((beginning) => name.startsWith(beginning)),
)
mkdirSync(folder, { recursive: true })
const site = await startSite({ env: { MEYDAN_LIMIT_SCALE: '1000' } })
const browser = await launchBrowser()
try {
  const sendHome = await populate(site)
  for (const screen of wanted)
    for (const width of Object.keys(devices))
      await take(screen, Number(width), browser, site).catch((error) => {
        // The others are still worth their pictures.
        console.error(`${screen.name} at ${width} px: ${error}`)
        process.exitCode = 1
      })
  sendHome()
} finally {
  await browser.close()
  await site.stop()
}

async function take(screen: Screen, width: number, browser: Browser, site: Site): Promise<void> {
  const page = await devices[width]?.(browser, site.origin)
  if (!page) return
  await screen.show(new Visitor(page), site)
  await page.evaluate(() => document.fonts.ready)
  for (const theme of ['dark', 'light']) {
    await page.evaluate((name) => document.documentElement.setAttribute('data-theme', name), theme)
    const path = join(folder, `${screen.name}-${width}-${theme}.png`)
    await page.screenshot({ path, fullPage: screen.name.startsWith('landing') })
    console.log(path)
  }
  await page.context().close()
}
