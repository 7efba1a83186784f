import type { Locator, Page } from 'playwright-core'
import { foldName } from '../../src/shared/text/turkish.ts'
import { expectAnswer, LiveConnection, signInAsGuest } from '../drivers/live-connection.ts'
import type { Site } from '../drivers/site.ts'
import type { ChatPage } from './chat-page.ts'

/** Shown when a guest filters users by gender. */
export const PREMIUM_FILTER_TEXT = "Cinsiyet filtreleme yalnızca Premium'lara özel!"

/** Connects guests to room 1 under names that a sign-in refuses. */
export async function connectGuestsNamed(site: Site, names: readonly string[]): Promise<LiveConnection[]> {
  const guests = await Promise.all(names.map((_, index) => signInAsGuest(site.origin, `Garip${index}`)))
  site.changeDatabase((db) => {
    const rename = db.prepare('update user set username = ?, foldedName = ? where username = ?')
    for (const [index, name] of names.entries()) rename.run(name, foldName(name), `Garip${index}`)
  })
  return Promise.all(
    guests.map(async ({ token }) => {
      const { connection } = await LiveConnection.open(site.origin, token)
      expectAnswer(await connection.request('joinRoom', { roomId: 1 }))
      return connection
    }),
  )
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
