import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import type { Locator, Page } from 'playwright-core'
import { foldName } from '../../src/shared/text/turkish.ts'
import { expectAnswer, LiveConnection, signInAsGuest } from '../drivers/live-connection.ts'
import type { SiteProcess } from '../drivers/site-process.ts'
import type { ChatPage } from './chat-page.ts'
import { journey } from './journey.ts'

/** Shown when a guest filters users by gender. */
export const PREMIUM_FILTER_TEXT = "Cinsiyet filtreleme yalnızca Premium'lara özel!"

/** Adds a guest without a browser to a room, renamed to `shownAs` when it is given. */
export type AddGuest = (username: string, roomId: number, shownAs?: string) => Promise<LiveConnection>

let runCount = 0

/** A journey whose names are unique per try (`of`), and which closes its guests' connections (`stay`) at its end. */
export const userListJourney = journey.extend<{ of: (name: string) => string; stay: AddGuest }>({
  // biome-ignore lint/correctness/noEmptyPattern: vitest reads from it which fixtures are asked for
  of: async ({}, use) => {
    const run = ++runCount
    await use((name) => `${name}${run}`)
  },
  stay: async ({ site }, use) => {
    const connections: LiveConnection[] = []
    await use(async (username, roomId, shownAs) => {
      const { token } = await signInAsGuest(site.origin, username, 'female')
      if (shownAs !== undefined) {
        updateSiteDatabase(
          site,
          'update user set username = ?, foldedName = ? where username = ?',
          shownAs,
          foldName(shownAs),
          username,
        )
      }
      const { connection } = await LiveConnection.open(site.origin, token)
      connections.push(connection)
      expectAnswer(await connection.request('joinRoom', { roomId }))
      return connection
    })
    for (const connection of connections) connection.socket.close()
  },
})

/** Writes to the database past the commands. */
export function updateSiteDatabase(site: SiteProcess, sql: string, ...values: string[]): void {
  const db = new Sqlite(join(site.dataFolder, 'meydan.db'), { timeout: 5_000 })
  db.prepare(sql).run(...values)
  db.close()
}

export const userList = (page: Page): Locator => page.getByRole('list', { name: 'Kullanıcı listesi' })
export const userRow = (page: Page, name: string): Locator =>
  userList(page)
    .getByRole('button')
    .filter({ has: page.locator('.person-username', { hasText: new RegExp(`^${name}$`) }) })
export const userSearchField = (page: Page): Locator =>
  page.getByRole('searchbox', { name: 'Odadaki kullanıcılarda ara...' })
export const profileDialog = (page: Page): Locator => page.getByRole('dialog', { name: 'Profil' })

/** Resolves when the room's user list is live and shows this user as the viewer. */
export async function waitForUserList({ page }: ChatPage, self: string): Promise<void> {
  await page
    .locator('m-island[data-live]')
    .filter({ has: userList(page) })
    .waitFor()
  await userRow(page, self).locator('.person-viewer').waitFor()
}

/** Resolves when the panel's head shows this count. */
export function waitForUserCount(page: Page, text: string): Promise<void> {
  return page.locator('.side-panel .panel-count').getByText(text, { exact: true }).waitFor()
}
