import type { Locator } from 'playwright-core'
import { expect } from 'vitest'
import { type NetworkCondition, openFaultProxy } from '../drivers/fault-proxy.ts'
import type { LiveConnection } from '../drivers/live-connection.ts'
import { readSiteDatabase, type Site } from '../drivers/site.ts'
import type { ChatPage } from './chat-page.ts'
import { journey, processJourney } from './journey.ts'

/** Playwright's own default. */
const NORMAL_CONDITION: NetworkCondition = { passesAfterMs: 0 }

/** Chromium's console errors for a lost connection, and for code that a page loads again while the site starts. */
export const CONNECTION_ERRORS = /WebSocket connection to|net::ERR_|status of 503 .*\/assets\//
export const CONNECTION_LOST_TEXT = 'Bağlantı koptu. Sunucuya bağlanılıyor...'
export const CONNECTION_RESTORED_TEXT = 'Bağlantı kuruldu.'

/** The network between a user and the site. */
export interface BreakableNetwork {
  /** URL of the site through it. */
  readonly url: string
  /** Silently holds all bytes in both directions. */
  stall(): void
  /** Passes requests and holds responses. */
  stallResponses(): void
  /** Breaks connections, drops bytes in flight, and refuses new connections. */
  refuseConnections(): void
  restore(): void
  /** As a phone that changes networks: open connections are silently dead. */
  switchNetwork(): void
}

async function openBreakableNetwork(site: Site) {
  let fates: { upstream: NetworkCondition; downstream: NetworkCondition } = {
    upstream: NORMAL_CONDITION,
    downstream: NORMAL_CONDITION,
  }
  let changes = 0
  const relay = await openFaultProxy(Number(new URL(site.origin).port), () => {
    const madeIn = changes
    return (direction) => (madeIn < changes ? 'stalled' : fates[direction])
  })
  const become = (upstream: NetworkCondition, downstream = upstream) => {
    fates = { upstream, downstream }
    relay.applyConditions()
  }
  const network: BreakableNetwork = {
    url: relay.url,
    stall: () => become('stalled'),
    stallResponses: () => become(NORMAL_CONDITION, 'stalled'),
    refuseConnections: () => become('refused'),
    restore: () => become(NORMAL_CONDITION),
    switchNetwork: () => {
      changes++
      relay.applyConditions()
    },
  }
  return { network, close: () => relay.close() }
}

interface NetworkFixtures {
  network: BreakableNetwork
}

const breakableNetwork = async ({ site }: { site: Site }, use: (network: BreakableNetwork) => Promise<void>) => {
  const { network, close } = await openBreakableNetwork(site)
  await use(network)
  await close()
}

/** A journey with a breakable network: users with `baseURL: network.url` connect through it. */
export const networkJourney = journey.extend<NetworkFixtures>({ network: breakableNetwork })
/** The same with a site in a process of its own. */
export const networkProcessJourney = processJourney.extend<NetworkFixtures>({ network: breakableNetwork })

let nameCount = 0
/** A unique name: a retried journey may meet the users of its first try. */
export const uniqueName = (start: string): string => `${start}${++nameCount}`

/** All message texts in the site's database. */
export function readMessageContents(site: Site): string[] {
  return JSON.parse(String(readSiteDatabase(site, 'select json_group_array(content order by id) from message')))
}

/** The texts of all messages that have arrived on a connection. */
export const heardOn = (connection: LiveConnection): string[] =>
  connection.receivedEvents('message').map(({ content }) => content)

/** Resolves when this is shown, and lets the page's clock, which must be installed, run ahead until then. */
export async function passTimeUntilShown({ page }: ChatPage, shown: Locator): Promise<void> {
  while (!(await shown.isVisible())) await page.clock.fastForward(1_000)
}

/** Resolves when the overlay with this title is open; only its button, if any, has the focus. */
export async function expectBlockingOverlay({ page }: ChatPage, title: string): Promise<void> {
  const overlay = page.getByRole('alertdialog', { name: title })
  await overlay.waitFor()
  const holdsFocus = () => overlay.evaluate((element) => element.contains(document.activeElement))
  await expect.poll(holdsFocus).toBe(true)
  for (let press = 0; press < 3; press++) await page.keyboard.press('Escape')
  await expect.poll(holdsFocus).toBe(true)
  // Tab cycles through the browser's own controls, never to the page behind.
  for (let press = 0; press < 3; press++) {
    await page.keyboard.press('Tab')
    const isBehind = (element: Element) =>
      !element.contains(document.activeElement) && document.activeElement !== document.body
    expect(await overlay.evaluate(isBehind)).toBe(false)
  }
}

/** Resolves when no overlay is open, and the composer has the focus and this text. */
export async function expectDraftKept({ page, composer }: ChatPage, draft: string): Promise<void> {
  await page.getByRole('alertdialog').waitFor({ state: 'hidden' })
  await expect.poll(() => composer.evaluate((field) => field === document.activeElement)).toBe(true)
  expect(await composer.inputValue()).toBe(draft)
}

/** Resolves when the page shows this connection state without blocking it. The number of attempts may follow the text. */
export async function waitForStatus({ page }: ChatPage, text: string): Promise<void> {
  await page.getByRole('status').getByText(text).waitFor()
}

/** Fires the browser's `online` event, after which the page reconnects at once. */
export function dispatchOnline({ page }: ChatPage): Promise<unknown> {
  return page.evaluate(() => window.dispatchEvent(new Event('online')))
}
