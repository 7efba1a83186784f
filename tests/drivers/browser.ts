import {
  type Browser,
  type BrowserContextOptions,
  type CDPSession,
  chromium,
  type LaunchOptions,
  type Page,
} from 'playwright-core'
import { ensureBrowser } from './find-browser.ts'
import { PATIENCE_MS } from './patience.ts'

/** No background traffic; a container has no sandbox, GPU or microphone. */
const CHROMIUM_FLAGS = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
  // A microphone that beeps once a second, without a prompt.
  '--use-fake-device-for-media-stream',
  '--use-fake-ui-for-media-stream',
]

/**
 * Chromium prepares window surfaces for every context, although headless; they cost three times the CPU of
 * the page. The other features are those of Playwright's flag, which this one replaces.
 */
const DISABLED_FEATURES = [
  ...['PreloadTopChromeWebUI', 'WebUIOmniboxPopup', 'WebUIOmniboxAimPopup', 'WebUIOmniboxFullPopup'],
  ...['AvoidUnnecessaryBeforeUnloadCheckSync', 'DestroyProfileOnBrowserClose', 'HttpsUpgrades', 'LensOverlay'],
  ...['HttpsFirstBalancedModeAutoEnable', 'MediaRouter', 'PaintHolding', 'ThirdPartyStoragePartitioning', 'AimEnabled'],
  ...['AvoidCorsURLLoaderRestartOnRedirect', 'OptimizationHints', 'NetworkTimeServiceQuerying', 'PreconnectToSearch'],
]

const PHONE_SIZE = { width: 390, height: 844 }
const DESKTOP_SIZE = { width: 1440, height: 900 }

const PHONE_OPTIONS: BrowserContextOptions = {
  viewport: PHONE_SIZE,
  isMobile: true,
  hasTouch: true,
  locale: 'tr-TR',
  timezoneId: 'Europe/Istanbul',
}
const DESKTOP_OPTIONS: BrowserContextOptions = {
  viewport: DESKTOP_SIZE,
  locale: 'tr-TR',
  timezoneId: 'Europe/Istanbul',
}

/** A Chromium without a window. Each person in a journey has a context of their own in it: nothing is shared. */
export function launchBrowser(options: LaunchOptions = {}): Promise<Browser> {
  const args = [...CHROMIUM_FLAGS, `--disable-features=${DISABLED_FEATURES.join()}`, ...(options.args ?? [])]
  return chromium.launch({ executablePath: ensureBrowser(), headless: true, ...options, args })
}

/**
 * The same for one test file, so that no file's pages slow another's. It draws in its main process: without a GPU another
 * process for it takes a seventh of the processor time.
 */
export function launchTestBrowser(): Promise<Browser> {
  return launchBrowser({ args: ['--in-process-gpu'] })
}

/** Opens a page with the size and touch of a phone. */
export function openPhonePage(browser: Browser, changes: BrowserContextOptions = {}): Promise<Page> {
  return openPage(browser, { ...PHONE_OPTIONS, ...changes })
}

/** Opens a page with the size of a desktop. */
export function openDesktopPage(browser: Browser, changes: BrowserContextOptions = {}): Promise<Page> {
  return openPage(browser, { ...DESKTOP_OPTIONS, ...changes })
}

async function openPage(browser: Browser, options: BrowserContextOptions): Promise<Page> {
  const context = await browser.newContext(options)
  context.setDefaultTimeout(PATIENCE_MS)
  return context.newPage()
}

/** Touch is emulated as long as the session that asked for it is open. */
const touchSessions = new WeakMap<Page, Promise<CDPSession>>()
const resizedPages = new WeakSet<Page>()

/** Gives a desktop page the size and touch of a phone. */
export async function resizeToPhone(page: Page): Promise<void> {
  resizedPages.add(page)
  await page.setViewportSize(PHONE_SIZE)
  await setTouch(page, true)
}

/** Takes back `resizeToPhone`, if there was one. */
export async function resizeToDesktop(page: Page): Promise<void> {
  if (!resizedPages.delete(page)) return
  await page.setViewportSize(DESKTOP_SIZE)
  await setTouch(page, false)
}

/** Resolves when the page is drawn for its new media: in the second frame. */
async function setTouch(page: Page, enabled: boolean): Promise<void> {
  const sessionPromise = touchSessions.get(page) ?? page.context().newCDPSession(page)
  touchSessions.set(page, sessionPromise)
  await (await sessionPromise).send('Emulation.setTouchEmulationEnabled', { enabled })
  await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))))
}

/** Errors of a page: uncaught errors and console errors. */
export class PageErrors {
  private readonly errors: string[] = []
  private readonly expectedPatterns: RegExp[] = []

  constructor(page: Page) {
    page.on('pageerror', (error) => this.errors.push(`uncaught ${error.stack || `${error.name}: ${error.message}`}`))
    page.on('console', (message) => {
      if (message.type() === 'error') this.errors.push(`console ${message.text()} (${message.location().url})`)
    })
  }

  /** Expects errors that match, for example the network errors of Chromium after a lost connection. */
  allow(pattern: RegExp): void {
    this.expectedPatterns.push(pattern)
  }

  /** Forgets the errors and the expected patterns. */
  reset(): void {
    this.errors.length = 0
    this.expectedPatterns.length = 0
  }

  /** Errors that match no expected pattern. */
  unexpectedErrors(): string[] {
    return this.errors.filter((error) => !this.expectedPatterns.some((pattern) => pattern.test(error)))
  }
}
