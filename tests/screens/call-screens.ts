import { CALL_RESULT_SHOWN_MS } from '../../src/shared/calls/limits.ts'
import type { CallType } from '../../src/shared/calls/protocol.ts'
import { expectAnswer, LiveConnection, signInAsGuest } from '../drivers/live-connection.ts'
import { type Site, updateSiteDatabase } from '../drivers/site.ts'
import { ChatPage } from '../journeys/chat-page.ts'
import { enterRoomWhenListed, ignoreTimers, type Screen } from './screen-steps.ts'

let otherCount = 0

/** A guest whom anybody may call, connected without a browser; it leaves when the visitor's page closes. */
async function connectOther({ page }: ChatPage, site: Site) {
  const username = `Gülden${++otherCount}`
  const { token } = await signInAsGuest(site.origin, username, 'female')
  allowCalls(site, username)
  const { connection } = await LiveConnection.open(site.origin, token)
  expectAnswer(await connection.request('joinRoom', { roomId: 1 }))
  page.once('close', () => connection.socket.close())
  return { username, connection }
}

function allowCalls(site: Site, username: string): void {
  updateSiteDatabase(site, `update user set videoCallPrivacy = 'everyone' where username = '${username}'`)
}

async function callFromProfile({ page }: ChatPage, username: string, callType: CallType): Promise<void> {
  await page.goto(`/room/1?${new URLSearchParams({ profil: username })}`)
  const profile = page.getByRole('dialog', { name: 'Profil', exact: true })
  await profile.getByRole('button', { name: callType === 'video' ? 'Görüntülü ara' : 'Sesli ara' }).click()
}

const callWindow = ({ page }: ChatPage, callType: CallType) =>
  page.getByRole('dialog', { name: callType === 'video' ? 'Görüntülü arama' : 'Sesli arama' })

/** Calls a guest, who neither accepts nor declines. */
async function callSomebody(visitor: ChatPage, site: Site, callType: CallType) {
  await enterRoomWhenListed(visitor)
  const other = await connectOther(visitor, site)
  await callFromProfile(visitor, other.username, callType)
  await other.connection.waitFor(() => other.connection.receivedEvents('dmVoiceCallRequest').length > 0)
  return other
}

/** Is called by a guest. */
async function openIncoming(visitor: ChatPage, site: Site, callType: CallType): Promise<void> {
  const recipientUsername = await enterRoomWhenListed(visitor)
  allowCalls(site, recipientUsername)
  const { connection } = await connectOther(visitor, site)
  expectAnswer(await connection.request('dmVoiceCallRequest', { recipientUsername, callType }))
  await visitor.page.getByRole('button', { name: 'Kabul et' }).waitFor()
}

/** Is in a call with a second browser context. */
async function openConnected(visitor: ChatPage, site: Site, callType: CallType): Promise<void> {
  const recipientUsername = await enterRoomWhenListed(visitor)
  allowCalls(site, recipientUsername)
  const browser = visitor.page.context().browser()
  if (!browser) throw new Error('the page has a browser')
  const context = await browser.newContext({ baseURL: site.origin })
  visitor.page.once('close', () => void context.close())
  const other = await new ChatPage(await context.newPage()).openRoomAsGuest(`Gülden${++otherCount}`)
  await callFromProfile(other, recipientUsername, callType)
  await visitor.page.getByRole('button', { name: 'Kabul et' }).click()
  await callWindow(visitor, callType).getByRole('timer').waitFor()
  await callWindow(visitor, callType)
    .getByText(/^Bağlantı (iyi|orta|zayıf)$/)
    .waitFor()
}

/** The states of a call. */
export const callScreens: Screen[] = [
  { name: 'call-outgoing', open: (visitor, site) => callSomebody(visitor, site, 'voice') },
  { name: 'call-outgoing-video', open: (visitor, site) => callSomebody(visitor, site, 'video') },
  { name: 'call-incoming', open: (visitor, site) => openIncoming(visitor, site, 'voice') },
  { name: 'call-incoming-video', open: (visitor, site) => openIncoming(visitor, site, 'video') },
  { name: 'call-voice', open: (visitor, site) => openConnected(visitor, site, 'voice') },
  {
    name: 'call-settings',
    open: async (visitor, site) => {
      await openConnected(visitor, site, 'voice')
      await visitor.page.getByRole('button', { name: 'Arama ayarları' }).click()
      await visitor.page.getByText('Güvenlik kodu').waitFor()
    },
  },
  { name: 'call-video', open: (visitor, site) => openConnected(visitor, site, 'video') },
  {
    name: 'call-declined',
    open: async (visitor, site) => {
      await ignoreTimers(visitor, CALL_RESULT_SHOWN_MS)
      const { connection } = await callSomebody(visitor, site, 'voice')
      const { callId } = connection.receivedEvents('dmVoiceCallRequest')[0] ?? {}
      expectAnswer(await connection.request('dmVoiceCallResponse', { callId, accepted: false }))
      await visitor.page.getByText('Aramanız reddedildi.').waitFor()
    },
  },
]
