import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import type { Locator, Page } from 'playwright-core'
import { foldName } from '../../src/shared/text/turkish.ts'
import { enterAsGuest, granted, LiveLine } from '../live-line.ts'
import type { Site } from '../site.ts'
import { journey } from './journey.ts'
import type { Visitor } from './visitor.ts'

/** What a guest reads who filters by gender. */
export const REFUSED = "Cinsiyet filtreleme yalnızca Premium'lara özel!"

/** Somebody who is in a room without a browser, shown under another name where one is given. */
export type Stay = (username: string, roomId: number, shownAs?: string) => Promise<LiveLine>

let takes = 0

/** A story whose people have names of their own, each time it is told, and where whoever stays is sent home at its end. */
export const peopleJourney = journey.extend<{ of: (name: string) => string; stay: Stay }>({
  // biome-ignore lint/correctness/noEmptyPattern: vitest reads from it which fixtures are asked for
  of: async ({}, use) => {
    const take = ++takes
    await use((name) => `${name}${take}`)
  },
  stay: async ({ site }, use) => {
    const lines: LiveLine[] = []
    await use(async (username, roomId, shownAs) => {
      const { token } = await enterAsGuest(site.origin, username, 'female')
      if (shownAs !== undefined) {
        change(
          site,
          'update user set username = ?, foldedName = ? where username = ?',
          shownAs,
          foldName(shownAs),
          username,
        )
      }
      const { line } = await LiveLine.open(site.origin, token)
      lines.push(line)
      granted(await line.ask('joinRoom', { roomId }))
      return line
    })
    for (const line of lines) line.socket.close()
  },
})

/** Changes the file as a feature of later will, past the commands of today. */
export function change(site: Site, sql: string, ...values: string[]): void {
  const db = new Sqlite(join(site.dataFolder, 'meydan.db'), { timeout: 5_000 })
  db.prepare(sql).run(...values)
  db.close()
}

export const list = (page: Page): Locator => page.getByRole('list', { name: 'Kullanıcı listesi' })
export const row = (page: Page, name: string): Locator =>
  list(page)
    .getByRole('button')
    .filter({ has: page.locator('.person-username', { hasText: new RegExp(`^${name}$`) }) })
export const search = (page: Page): Locator => page.getByRole('searchbox', { name: 'Odadaki kullanıcılarda ara...' })
export const profile = (page: Page): Locator => page.getByRole('dialog', { name: 'Profil' })

/** Goes to a room and waits until the list of its people is live and has this one. */
export async function visit({ page }: Visitor, path: string, self: string): Promise<void> {
  await page.goto(path)
  await page
    .locator('m-island[data-live]')
    .filter({ has: list(page) })
    .waitFor()
  await row(page, self).locator('.person-viewer').waitFor()
}

/** Resolves when the head of the panel says that so many are there. */
export function counts(page: Page, text: string): Promise<void> {
  return page.locator('.people-panel .panel-count').getByText(text, { exact: true }).waitFor()
}
