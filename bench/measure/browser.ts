import { setTimeout as sleep } from 'node:timers/promises'
import type { Browser, CDPSession, Page } from 'playwright-core'
import { launchBrowser, openDesktopPage, openPhonePage } from '../../tests/drivers/browser.ts'
import { findBrowser } from '../../tests/drivers/find-browser.ts'
import type { Report } from './report.ts'

export const devices = { phone: openPhonePage, desktop: openDesktopPage }
export type Device = keyof typeof devices

const POLL_MS = 50
/** More than a window's own bars take of its height. */
const BARS_PX = 200

/** Measures with a Chromium, which ends with it. Where none is installed, the report says so in place of figures. */
export async function measureInBrowser(measure: (browser: Browser) => Promise<Report>): Promise<Report> {
  if (!findBrowser()) {
    return { figures: [], notes: ['Skipped: there is no Chromium here. Install one, or name it: CHROMIUM=/path.'] }
  }
  const browser = await launchBrowser()
  try {
    return await measure(browser)
  } finally {
    await browser.close()
  }
}

/** An address as somebody comes to it for the first time. */
export interface PageVisit {
  device: Device
  url: string
  /** As the header of a request has it; none for a stranger. */
  cookie?: string
  /** 4 makes the processor four times as slow. */
  slowdown?: number
  /** The page comes without its scripts. */
  isBare?: boolean
}

/** A page in a context of its own, so that nothing of it is cached; it ends with `use`. */
export async function visitPage<T>(
  browser: Browser,
  { device, url, cookie, slowdown = 1, isBare = false }: PageVisit,
  use: (page: Page, cdp: CDPSession) => Promise<T>,
): Promise<T> {
  const page = await devices[device](browser)
  try {
    await page.context().addCookies(toCookies(url, cookie))
    const cdp = await page.context().newCDPSession(page)
    await enlargeWindow(cdp)
    await cdp.send('Network.enable')
    if (isBare) await cdp.send('Network.setBlockedURLs', { urls: ['*.js'] })
    await cdp.send('Emulation.setCPUThrottlingRate', { rate: slowdown })
    return await use(page, cdp)
  } finally {
    await page.context().close()
  }
}

/**
 * A window is made as high as the page and its bars take from that, so what is at the bottom is drawn beyond its edge:
 * Chromium never shows it, and whatever is pressed or typed there seems to last until something higher up changes.
 */
async function enlargeWindow(cdp: CDPSession): Promise<void> {
  const { windowId, bounds } = await cdp.send('Browser.getWindowForTarget')
  const height = (bounds.height ?? 0) + BARS_PX
  await cdp.send('Browser.setWindowBounds', { windowId, bounds: { height } })
}

/**
 * Waits until an expression of the page is true. By the protocol itself: what Playwright puts into a page to wait there
 * would be a long task of its own on a slow machine.
 */
export async function waitForExpression(cdp: CDPSession, expression: string, timeoutMs: number): Promise<void> {
  const endsAt = performance.now() + timeoutMs
  const isTrue = async () => (await cdp.send('Runtime.evaluate', { expression, returnByValue: true })).result.value
  while (!(await isTrue())) {
    if (performance.now() > endsAt) throw new Error(`in ${timeoutMs} ms it did not come to be: ${expression}`)
    await sleep(POLL_MS)
  }
}

function toCookies(url: string, header = ''): { name: string; value: string; url: string }[] {
  const pairs = header.split('; ').filter(Boolean)
  return pairs.map((pair) => {
    const [name = '', ...value] = pair.split('=')
    return { name, value: value.join('='), url }
  })
}
