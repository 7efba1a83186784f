import type { Locator } from 'playwright-core'
import { expect } from 'vitest'
import { type Site, updateSiteDatabase } from '../drivers/site.ts'
import type { ChatPage } from './chat-page.ts'
import { journey } from './journey.ts'

/** What a page has received of a call, over all its connections. */
interface ReceivedMedia {
  framesDecoded: number
  /** Of the sound that was heard (WebRTC statistics, `totalAudioEnergy`). */
  audioEnergy: number
  openConnections: number
}

/** Keeps every RTCPeerConnection of a page in `callConnections`. */
function keepConnections(): void {
  const kept: RTCPeerConnection[] = []
  Object.assign(window, { callConnections: kept })
  window.RTCPeerConnection = class extends RTCPeerConnection {
    constructor(configuration?: RTCConfiguration) {
      super(configuration)
      kept.push(this)
    }
  }
}

async function readReceivedMedia(): Promise<ReceivedMedia> {
  const { callConnections } = window as unknown as { callConnections: RTCPeerConnection[] } // set above
  const open = callConnections.filter(({ connectionState }) => connectionState !== 'closed')
  const received = { framesDecoded: 0, audioEnergy: 0, openConnections: open.length }
  for (const connection of open) {
    const report = await connection.getStats()
    report.forEach((stats: { type: string; framesDecoded?: number; totalAudioEnergy?: number }) => {
      if (stats.type !== 'inbound-rtp') return
      received.framesDecoded += stats.framesDecoded ?? 0
      received.audioEnergy += stats.totalAudioEnergy ?? 0
    })
  }
  return received
}

export const receivedBy = ({ page }: ChatPage): Promise<ReceivedMedia> => page.evaluate(readReceivedMedia)

/** Resolves when a user hears the other from now on, and sees them if it is a video call. */
export async function waitForMedia(user: ChatPage, callType: 'voice' | 'video'): Promise<void> {
  const before = await receivedBy(user)
  const grows = async (): Promise<boolean[]> => {
    const now = await receivedBy(user)
    return [now.audioEnergy > before.audioEnergy, callType === 'voice' || now.framesDecoded > before.framesDecoded + 5]
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
  await user.page.addInitScript(keepConnections)
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
  expect((await receivedBy(user)).openConnections).toBe(0)
}

/** Blocks over HTTP: the window of the call may cover what one would click. */
export async function blockUser({ page }: ChatPage, username: string): Promise<void> {
  const token = await page.evaluate(() => localStorage.getItem('token'))
  const headers = { Authorization: `Bearer ${token}` }
  const answer = await page.request.post('/api/users/block', { data: { blockedUsername: username }, headers })
  expect(answer.status()).toBe(200)
}
