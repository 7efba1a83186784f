import type { Locator } from 'playwright-core'
import { expect } from 'vitest'
import { countOpenConnections, readMedia, recordCalls } from '../drivers/call-probe.ts'
import { type Site, updateSiteDatabase } from '../drivers/site.ts'
import type { ChatPage } from './chat-page.ts'
import { journey } from './journey.ts'

/** Resolves when a user hears the other from now on, and sees them if it is a video call. */
export async function waitForMedia({ page }: ChatPage, callType: 'voice' | 'video'): Promise<void> {
  const before = await readMedia(page)
  const grows = async (): Promise<boolean[]> => {
    const now = await readMedia(page)
    // Counters begin with each connection, and a page that reloads makes both sides connect again.
    const base = now?.connectionId === before?.connectionId ? before : null
    const { audioEnergy = 0, framesDecoded = 0 } = now ?? {}
    return [
      audioEnergy > (base?.audioEnergy ?? 0),
      callType === 'voice' || framesDecoded > (base?.framesDecoded ?? 0) + 5,
    ]
  }
  await expect.poll(grows).toEqual([true, true])
}

export const callWindow = ({ page }: ChatPage): Locator => page.locator('.call')
export const callButton = (user: ChatPage, name: string): Locator =>
  callWindow(user).getByRole('button', { name, exact: true })
export const callStatus = (user: ChatPage): Locator => callWindow(user).locator('#call-status')

/** Calls from the profile, which a name in the chat opens. */
export async function placeCall({ page, messageLog }: ChatPage, username: string, button: string): Promise<void> {
  await page.locator('m-island[data-name*=panel-host][data-live]').waitFor({ state: 'attached' })
  await messageLog.locator(`.group-person[data-person="${username}"]`).last().click()
  const profile = page.getByRole('dialog', { name: 'Profil', exact: true })
  await profile.getByRole('button', { name: button, exact: true }).click()
  await page.keyboard.press('Escape')
}

/** 'Ada' and 'Can' in the room, each of whom may call the other. */
interface CallPair {
  ada: ChatPage
  can: ChatPage
}

/** A journey with two users who can call each other: fake devices, a relay on loopback. */
export const callJourney = journey.extend<{ pair: CallPair; member: (name: string) => Promise<ChatPage> }>({
  member: async ({ site, desktop }, use) => {
    await use(async (name) => {
      const user = await desktop()
      await enterForCalls(site, user, name)
      await user.sendMessage(`Ben ${name}`)
      return user
    })
  },
  pair: async ({ member }, use) => {
    const [ada, can] = [await member('Ada'), await member('Can')]
    await ada.waitForMessage('Ben Can')
    await use({ ada, can })
  },
})

/** Enters as a member whom everyone may call. */
export async function enterForCalls(site: Site, user: ChatPage, username: string): Promise<void> {
  await recordCalls(user.page.context())
  await user.enterAsMember(username)
  const sql = "update user set voiceCallPrivacy = 'everyone', videoCallPrivacy = 'everyone' where username = ?"
  updateSiteDatabase(site, sql, username)
}

/** Calls and accepts, until both hear each other. */
export async function connectCall({ ada, can }: CallPair, callType: 'voice' | 'video'): Promise<void> {
  await placeCall(ada, 'Can', callType === 'voice' ? 'Sesli ara' : 'Görüntülü ara')
  await callButton(can, 'Kabul et').click()
  await waitForMedia(ada, callType)
  await waitForMedia(can, callType)
}

/** Whether a page has neither a call nor a connection left. */
export async function expectNoCall(user: ChatPage): Promise<void> {
  await callWindow(user).waitFor({ state: 'detached' })
  expect(await countOpenConnections(user.page)).toBe(0)
}

/** Blocks over HTTP: the window of the call may cover what one would click. */
export async function blockUser({ page }: ChatPage, username: string): Promise<void> {
  const token = await page.evaluate(() => localStorage.getItem('token'))
  const headers = { Authorization: `Bearer ${token}` }
  const answer = await page.request.post('/api/users/block', { data: { blockedUsername: username }, headers })
  expect(answer.status()).toBe(200)
}
