import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { expect } from 'vitest'
import { type NetworkCondition, openFaultProxy } from '../drivers/fault-proxy.ts'
import type { SiteProcess } from '../drivers/site-process.ts'
import type { ChatPage } from './chat-page.ts'
import { journey } from './journey.ts'

/** As long as Playwright waits for what it waits for itself. */
export const SLOW_POLL = { timeout: 30_000 }
const NORMAL_CONDITION: NetworkCondition = { passesAfterMs: 0 }

/** What Chromium itself complains of when the line is cut. */
export const CONNECTION_ERRORS = /WebSocket connection to|net::ERR_/
export const CONNECTION_LOST_TEXT = 'Bağlantı koptu. Sunucuya bağlanılıyor...'
export const CONNECTION_RESTORED_TEXT = 'Bağlantı kuruldu.'

/** The network between somebody and the site. */
export interface BreakableNetwork {
  /** Where the site is found through it. */
  readonly url: string
  /** Nothing passes any more, and nobody is told: bytes wait on their way. */
  stall(): void
  /** What is said to the site arrives; what it answers waits. */
  stallResponses(): void
  /** Connections break, what was on its way is lost, and new ones are refused. */
  refuseConnections(): void
  restore(): void
  /** As a phone that leaves one network for another: whatever was open is dead, and nobody says so. */
  switchNetwork(): void
}

async function openBreakableNetwork(site: SiteProcess) {
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

/** A story about lines: whoever is given `baseURL: network.url` comes through a network that the story may break. */
export const networkJourney = journey.extend<{ network: BreakableNetwork }>({
  network: async ({ site }, use) => {
    const { network, close } = await openBreakableNetwork(site)
    await use(network)
    await close()
  },
})

let nameCount = 0
/** A name that nobody has: a story that is told again may meet the people of its first time. */
export const uniqueName = (start: string): string => `${start}${++nameCount}`

/** Everything that was ever said on the site. */
export function readMessageContents(site: SiteProcess): string[] {
  const db = new Sqlite(join(site.dataFolder, 'meydan.db'), { readonly: true, timeout: 5_000 })
  const contents = db.prepare('select content from message order by id').pluck().all()
  db.close()
  return contents as string[] // the one column asked for
}

/** Resolves when the overlay with this title is there; nothing but its button, if it has one, leads out of it. */
export async function expectBlockingOverlay({ page }: ChatPage, title: string): Promise<void> {
  const overlay = page.getByRole('alertdialog', { name: title })
  await overlay.waitFor()
  const holdsFocus = () => overlay.evaluate((element) => element.contains(document.activeElement))
  await expect.poll(holdsFocus, SLOW_POLL).toBe(true)
  for (let press = 0; press < 3; press++) await page.keyboard.press('Escape')
  await expect.poll(holdsFocus, SLOW_POLL).toBe(true)
  // Tab goes round by way of the browser's own controls, and never to what lies behind.
  for (let press = 0; press < 3; press++) {
    await page.keyboard.press('Tab')
    const isBehind = (element: Element) =>
      !element.contains(document.activeElement) && document.activeElement !== document.body
    expect(await overlay.evaluate(isBehind)).toBe(false)
  }
}

/** Resolves when no overlay holds people up, and the composer has the focus with this in it. */
export async function expectDraftKept({ page, composer }: ChatPage, draft: string): Promise<void> {
  await page.getByRole('alertdialog').waitFor({ state: 'hidden' })
  await expect.poll(() => composer.evaluate((field) => field === document.activeElement), SLOW_POLL).toBe(true)
  expect(await composer.inputValue()).toBe(draft)
}

/** Resolves when the page says this of its line, and keeps nobody from reading and writing. How often it has tried may stand beside it. */
export async function waitForStatus({ page }: ChatPage, text: string): Promise<void> {
  await page.getByRole('status').getByText(text).waitFor()
}

/** Says what a phone says when its network is back: the page tries at once then. */
export function dispatchOnline({ page }: ChatPage): Promise<unknown> {
  return page.evaluate(() => window.dispatchEvent(new Event('online')))
}
