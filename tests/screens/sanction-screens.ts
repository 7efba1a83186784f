import { readSiteDatabase, type Site, updateSiteDatabase } from '../drivers/site.ts'
import type { ChatPage } from '../journeys/chat-page.ts'
import { openModeration } from './moderation-screens.ts'
import {
  enterAsRootAdmin,
  enterRoomAsGuest,
  interceptConnection,
  repeatUntilClosed,
  type Screen,
  waitForUserList,
} from './screen-steps.ts'

const WARNING_TEXT =
  'Mesajların topluluk kurallarına uymuyor. Lütfen kurallara uy, yoksa siteden yasaklanabilirsin.\n\nBir daha olursa bu odada yazamayacaksın.'

/** Mutes three guests: on the site, and in room 1. */
function addMutes(site: Site): void {
  const now = Date.now()
  const mutes = [
    { roomId: 1, reason: 'Tartışma çıkarma', duration: '10min', endsAt: now + 600_000 },
    { roomId: 'null', reason: 'Spam veya reklam', duration: 'indefinite', endsAt: 'null' },
    { roomId: 1, reason: 'Hakaret', duration: '1hr', endsAt: now + 3_600_000 },
  ]
  updateSiteDatabase(site, "update restriction set liftedAt = at where kind = 'mute' and liftedAt is null")
  mutes.forEach(({ roomId, reason, duration, endsAt }, index) => {
    updateSiteDatabase(
      site,
      `insert into restriction (kind, userId, roomId, reason, duration, imposedById, at, endsAt)
       select 'mute', guest.id, ${roomId}, '${reason}', '${duration}', root.id, ${now}, ${endsAt}
       from user guest, user root where guest.isGuest = 1 and root.username = 'Zeynep'
       order by guest.id limit 1 offset ${index}`,
    )
  })
}

/** Opens an action in the menu of the profile of the last one who wrote. */
async function openForPerson(visitor: ChatPage, site: Site, label: string): Promise<void> {
  await enterAsRootAdmin(visitor, site)
  const { page, messageLog } = visitor
  await waitForUserList(visitor)
  await messageLog.locator('.group-person').last().click()
  await page.getByRole('button', { name: 'Diğer işlemler' }).click()
  await page.getByRole('menuitem', { name: label, exact: true }).click()
  await page.getByRole('dialog', { name: label }).waitFor()
}

/** Warnings, mutes and removed messages. */
export const sanctionScreens: Screen[] = [
  {
    name: 'warning-popup',
    open: async (visitor) => {
      const send = await interceptConnection(visitor)
      await enterRoomAsGuest(visitor)
      const warnings = [1, 2].map((id) => ({ id, text: WARNING_TEXT, at: 0 }))
      repeatUntilClosed(visitor, () => send('ownSanctions', { warnings, mutes: [] }))
      await visitor.page.getByRole('alertdialog', { name: 'Uyarı' }).waitFor()
    },
  },
  {
    name: 'muted-composer',
    open: async (visitor) => {
      const send = await interceptConnection(visitor)
      await enterRoomAsGuest(visitor)
      const endsAt = Date.now() + 540_000
      repeatUntilClosed(visitor, () =>
        send('ownSanctions', { warnings: [], mutes: [{ roomId: null, reason: 'Spam veya reklam', endsAt }] }),
      )
      await visitor.page.getByText(/^Susturuldun\. Sebep: /).waitFor()
    },
  },
  { name: 'warn-form', signedInAs: 'rootAdmin', open: (visitor, site) => openForPerson(visitor, site, 'Uyar') },
  { name: 'mute-form', signedInAs: 'rootAdmin', open: (visitor, site) => openForPerson(visitor, site, 'Sustur') },
  {
    name: 'moderation-mutes',
    signedInAs: 'rootAdmin',
    open: async (visitor, site) => {
      await enterAsRootAdmin(visitor, site)
      addMutes(site)
      const screen = await openModeration(visitor, 'Susturmalar')
      await screen.getByText(/^#.* · Hakaret · /).waitFor()
    },
  },
  {
    name: 'managed-room-mutes',
    signedInAs: 'rootAdmin',
    open: async (visitor, site) => {
      await enterAsRootAdmin(visitor, site)
      addMutes(site)
      const { page } = visitor
      const settings = page.getByRole('button', { name: 'Ayarlar' })
      if (await settings.isVisible()) await settings.click()
      await page.getByRole('button', { name: 'Oda Yönetimi' }).click()
      await page.getByRole('button', { name: 'Susturmalar' }).click()
      await page.getByText(/^Hakaret · /).waitFor()
    },
  },
  {
    name: 'removed-message',
    open: async (visitor, site) => {
      const id = readSiteDatabase(site, 'select id from message where roomId = 1 order by id desc limit 1 offset 2')
      const content = readSiteDatabase(site, `select content from message where id = ${id}`)
      updateSiteDatabase(site, `update message set content = '', isRemoved = 1 where id = ${id}`)
      await enterRoomAsGuest(visitor)
      await visitor.page.getByText('Bu mesaj kaldırıldı').waitFor()
      const text = String(content).replaceAll("'", "''")
      updateSiteDatabase(site, `update message set content = '${text}', isRemoved = 0 where id = ${id}`)
    },
  },
]
