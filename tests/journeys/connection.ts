import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { expect } from 'vitest'
import { type Fate, openRelay } from '../regions/relay.ts'
import type { Site } from '../site.ts'
import { journey } from './journey.ts'
import type { Visitor } from './visitor.ts'

/** As long as Playwright waits for what it waits for itself. */
export const patiently = { timeout: 30_000 }
const OPEN: Fate = { passesAfterMs: 0 }

/** What Chromium itself complains of when the line is cut. */
export const cutLine = /WebSocket connection to|net::ERR_/
export const CUT = 'Bağlantı koptu. Sunucuya bağlanılıyor...'
export const BACK = 'Bağlantı kuruldu.'

/** The network between somebody and the site. */
export interface Network {
  /** Where the site is found through it. */
  readonly url: string
  /** Nothing passes any more, and nobody is told: bytes wait on their way. */
  hold(): void
  /** What is said to the site arrives; what it answers waits. */
  holdAnswers(): void
  /** Connections break, what was on its way is lost, and new ones are refused. */
  cut(): void
  mend(): void
  /** As a phone that leaves one network for another: whatever was open is dead, and nobody says so. */
  change(): void
}

async function openNetwork(site: Site) {
  let fates: { there: Fate; back: Fate } = { there: OPEN, back: OPEN }
  let changes = 0
  const relay = await openRelay(Number(new URL(site.origin).port), () => {
    const madeIn = changes
    return (direction) => (madeIn < changes ? 'held' : fates[direction])
  })
  const become = (there: Fate, back = there) => {
    fates = { there, back }
    relay.update()
  }
  const network: Network = {
    url: relay.url,
    hold: () => become('held'),
    holdAnswers: () => become(OPEN, 'held'),
    cut: () => become('refused'),
    mend: () => become(OPEN),
    change: () => {
      changes++
      relay.update()
    },
  }
  return { network, close: () => relay.close() }
}

/** A story about lines: whoever is given `baseURL: network.url` comes through a network that the story may break. */
export const lineJourney = journey.extend<{ network: Network }>({
  network: async ({ site }, use) => {
    const { network, close } = await openNetwork(site)
    await use(network)
    await close()
  },
})

let names = 0
/** A name that nobody has: a story that is told again may meet the people of its first time. */
export const named = (start: string): string => `${start}${++names}`

/** Everything that was ever said on the site. */
export function messagesOf(site: Site): string[] {
  const db = new Sqlite(join(site.dataFolder, 'meydan.db'), { readonly: true, timeout: 5_000 })
  const contents = db.prepare('select content from message order by id').pluck().all()
  db.close()
  return contents as string[] // the one column asked for
}

/** Resolves when the overlay with this title is there; nothing but its button, if it has one, leads out of it. */
export async function isHeldBy({ page }: Visitor, title: string): Promise<void> {
  const overlay = page.getByRole('alertdialog', { name: title })
  await overlay.waitFor()
  const holdsFocus = () => overlay.evaluate((element) => element.contains(document.activeElement))
  await expect.poll(holdsFocus, patiently).toBe(true)
  for (let press = 0; press < 3; press++) await page.keyboard.press('Escape')
  await expect.poll(holdsFocus, patiently).toBe(true)
  // Tab goes round by way of the browser's own controls, and never to what lies behind.
  for (let press = 0; press < 3; press++) {
    await page.keyboard.press('Tab')
    const isBehind = (element: Element) =>
      !element.contains(document.activeElement) && document.activeElement !== document.body
    expect(await overlay.evaluate(isBehind)).toBe(false)
  }
}

/** Resolves when no overlay holds people up, and the composer has the focus with this in it. */
export async function writesOn({ page, composer }: Visitor, draft: string): Promise<void> {
  await page.getByRole('alertdialog').waitFor({ state: 'hidden' })
  await expect.poll(() => composer.evaluate((field) => field === document.activeElement), patiently).toBe(true)
  expect(await composer.inputValue()).toBe(draft)
}

/** Resolves when the page says this of its line, and keeps nobody from reading and writing. How often it has tried may stand beside it. */
export async function isTold({ page }: Visitor, text: string): Promise<void> {
  await page.getByRole('status').getByText(text).waitFor()
}

/** Says what a phone says when its network is back: the page tries at once then. */
export function wake({ page }: Visitor): Promise<unknown> {
  return page.evaluate(() => window.dispatchEvent(new Event('online')))
}
