import { setTimeout as sleep } from 'node:timers/promises'
import type { Browser, CDPSession, Page } from 'playwright-core'
import { launchBrowser, openDesktopPage, openPhonePage } from '../../tests/drivers/browser.ts'
import { findBrowser } from '../../tests/drivers/find-browser.ts'
import type { Report } from './report.ts'

export const devices = { phone: openPhonePage, desktop: openDesktopPage }
export type Device = keyof typeof devices

const POLL_MS = 50
/** More than the height of the bars of a browser window. */
const BARS_PX = 200

/** Runs `measure` with a Chromium and closes it. Without an installed Chromium the report has a note instead of figures. */
export async function measureInBrowser(measure: (browser: Browser) => Promise<Report>): Promise<Report> {
  if (!findBrowser()) {
    return { figures: [], notes: ['Skipped: Chromium is not installed. Install it or set CHROMIUM=/path.'] }
  }
  const browser = await launchBrowser()
  try {
    return await measure(browser)
  } finally {
    await browser.close()
  }
}

/** A first visit to an address, with an empty cache. */
export interface PageVisit {
  device: Device
  url: string
  /** A Cookie header; undefined for a visitor without a session. */
  cookie?: string
  /** CPU throttling factor: 4 makes the processor four times as slow. */
  slowdown?: number
  /** Whether scripts are blocked. */
  isBare?: boolean
}

/** Opens a page in a new context with an empty cache and closes it after `use`. */
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
 * Playwright makes the window as high as the page, without its bars, so the bottom of the page is outside the window.
 * Chromium does not draw it, and an interaction there seems to last until something higher up changes.
 */
async function enlargeWindow(cdp: CDPSession): Promise<void> {
  const { windowId, bounds } = await cdp.send('Browser.getWindowForTarget')
  const height = (bounds.height ?? 0) + BARS_PX
  await cdp.send('Browser.setWindowBounds', { windowId, bounds: { height } })
}

/**
 * Waits until an expression in the page is true. Uses the protocol directly, because the script that Playwright injects
 * is a long task on a slow machine. Throws after `timeoutMs`.
 */
export async function waitForExpression(cdp: CDPSession, expression: string, timeoutMs: number): Promise<void> {
  const deadline = performance.now() + timeoutMs
  const isTrue = async () => (await cdp.send('Runtime.evaluate', { expression, returnByValue: true })).result.value
  while (!(await isTrue())) {
    if (performance.now() > deadline) throw new Error(`not true within ${timeoutMs} ms: ${expression}`)
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
