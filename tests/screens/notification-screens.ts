import { foldName } from '../../src/shared/text/turkish.ts'
import { type Site, updateSiteDatabase } from '../drivers/site.ts'
import type { ChatPage } from '../journeys/chat-page.ts'
import { enterAsRootAdmin, type Screen } from './screen-steps.ts'

const MEMBERS = [
  ['Nehir', 'female'],
  ['Barış', 'male'],
  ['Defne', 'female'],
  ['Uzunİsimliİnsan2026', null],
] as const

interface Row {
  tab: string
  type: string
  sender: string
  minutesAgo: number
  senderCount?: number
  requestId?: number
  content?: string
  /** The text of the message that mentions the viewer. */
  text?: string
  isRead?: boolean
}

const ROWS: Row[] = [
  { tab: 'dmCall', type: 'dmCall', sender: 'Barış', requestId: 3, content: 'voice', minutesAgo: 5 },
  { tab: 'dmCall', type: 'dmCall', sender: 'Nehir', content: 'video', minutesAgo: 3_000 },
  { tab: 'follow', type: 'follow', sender: 'Defne', requestId: 1, minutesAgo: 2 },
  { tab: 'follow', type: 'follow', sender: 'Uzunİsimliİnsan2026', requestId: 2, minutesAgo: 70 },
  { tab: 'mention', type: 'mention', sender: 'Nehir', text: '@Zeynep bu akşam gelecek misin?', minutesAgo: 4 },
  {
    tab: 'mention',
    type: 'mention',
    sender: 'Uzunİsimliİnsan2026',
    text: '@Zeynep uzun uzun yazılmış bir söz, iki satırdan da uzun sürsün diye biraz daha yazılmış, sonra biraz daha',
    minutesAgo: 2_000,
  },
  { tab: 'mention', type: 'mention', sender: 'Barış', minutesAgo: 2_100, isRead: true },
  { tab: 'other', type: 'like', sender: 'Nehir', senderCount: 4, minutesAgo: 1 },
  { tab: 'other', type: 'comment', sender: 'Barış', senderCount: 1, minutesAgo: 8 },
  { tab: 'other', type: 'follower', sender: 'Defne', senderCount: 100, minutesAgo: 90, isRead: true },
  { tab: 'other', type: 'followAccepted', sender: 'Barış', minutesAgo: 4_000, isRead: true },
  { tab: 'starRequest', type: 'starRequest', sender: 'Nehir', requestId: 9, content: '250', minutesAgo: 6 },
]

/** Enters as a root admin who has these notifications, and opens the panel. */
async function openNotifications(visitor: ChatPage, site: Site, rows = ROWS): Promise<void> {
  await enterAsRootAdmin(visitor, site)
  const viewer = "(select id from user where username = 'Zeynep')"
  for (const table of ['notification', 'notificationSender'])
    updateSiteDatabase(site, `delete from ${table} where recipientId = ${viewer}`)
  updateSiteDatabase(site, `delete from notificationCount where userId = ${viewer}`)
  for (const [name, gender] of MEMBERS)
    updateSiteDatabase(
      site,
      `insert into user (username, foldedName, gender, isGuest, role, lastLoginPlatform, createdAt, lastSeenAt)
       select '${name}', '${foldName(name)}', ${gender && `'${gender}'`}, 0, 'member', 'web', 0, ${Date.now()}
       where not exists (select 1 from user where username = '${name}')`,
    )
  rows.forEach((row, index) => void insertRow(site, viewer, row, index + 1))
  updateSiteDatabase(
    site,
    `insert into notificationCount (userId, tab, total, unread, lastId)
     select recipientId, tab, count(*), sum(read = 0), max(id) from notification where recipientId = ${viewer} group by tab`,
  )
  await visitor.page.reload()
  await visitor.waitForRoom()
  await visitor.page.getByRole('button', { name: /^Bildirimler/ }).click()
  await visitor.page.getByRole('tab', { name: /^Bahsetme/ }).waitFor()
}

function insertRow(site: Site, viewer: string, row: Row, id: number): void {
  const { tab, type, sender, minutesAgo, senderCount = 1, requestId = null, content = '', text, isRead = false } = row
  const senderId = `(select id from user where username = '${sender}')`
  const clientId = `notification ${id}`
  const createdAt = Date.now() - minutesAgo * 60_000
  if (text) {
    updateSiteDatabase(site, `delete from message where clientId = '${clientId}'`)
    updateSiteDatabase(
      site,
      `insert into message (roomId, senderId, content, consecutiveCount, clientId, createdAt)
       values (2, ${senderId}, '${text}', 1, '${clientId}', ${createdAt})`,
    )
  }
  const messageId = text ? `(select id from message where clientId = '${clientId}')` : null
  updateSiteDatabase(
    site,
    `insert into notification
     values (${viewer}, ${id}, '${tab}', '${type}', ${senderId}, ${senderCount}, null, ${requestId}, ${Number(isRead)},
       '${content}', ${text ? 2 : null}, ${messageId}, null, ${createdAt})`,
  )
}

const openTab = (visitor: ChatPage, name: RegExp) => visitor.page.getByRole('tab', { name }).click()

/** The tabs of the notifications. */
export const notificationScreens: Screen[] = [
  {
    name: 'notifications-calls',
    signedInAs: 'rootAdmin',
    open: async (visitor, site) => {
      await openNotifications(visitor, site)
      await openTab(visitor, /^Arama/)
      await visitor.page.getByRole('button', { name: 'Geri ara: Barış' }).waitFor()
    },
  },
  {
    name: 'report-call',
    signedInAs: 'rootAdmin',
    open: async (visitor, site) => {
      await openNotifications(visitor, site)
      await openTab(visitor, /^Arama/)
      await visitor.page.getByRole('button', { name: 'Aramayı Bildir: Barış' }).click()
      await visitor.page.getByRole('dialog', { name: 'Aramayı Bildir' }).getByRole('radio').first().waitFor()
    },
  },
  {
    name: 'notifications-follow',
    signedInAs: 'rootAdmin',
    open: async (visitor, site) => {
      await openNotifications(visitor, site)
      await openTab(visitor, /^Takip/)
      await visitor.page.getByRole('button', { name: 'Kabul et' }).first().waitFor()
    },
  },
  {
    name: 'notifications-mention',
    signedInAs: 'rootAdmin',
    open: async (visitor, site) => {
      await openNotifications(visitor, site)
      await openTab(visitor, /^Bahsetme/)
      await visitor.page.getByText('bu akşam gelecek misin?').waitFor()
    },
  },
  {
    name: 'notifications-requests',
    signedInAs: 'rootAdmin',
    open: async (visitor, site) => {
      await openNotifications(visitor, site)
      await visitor.page.getByRole('button', { name: 'Talepler' }).click()
      await visitor.page.getByRole('menuitem', { name: /^Yükleme/ }).click()
      await visitor.page.getByRole('button', { name: 'Onayla' }).waitFor()
    },
  },
  {
    name: 'notifications-other',
    signedInAs: 'rootAdmin',
    open: async (visitor, site) => {
      await openNotifications(visitor, site)
      await openTab(visitor, /^Diğer/)
      await visitor.page.getByText('ve 3 kişi daha').waitFor()
    },
  },
  {
    name: 'notifications-empty',
    signedInAs: 'rootAdmin',
    open: async (visitor, site) => {
      await openNotifications(visitor, site, [])
      await visitor.page.getByText('Henüz senden bahseden olmadı.').waitFor()
    },
  },
]
