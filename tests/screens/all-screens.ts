import { encode, Kind } from '../../src/shared/protocol/frame.ts'
import { refusals } from '../../src/shared/protocol/refusals.ts'
import { CONNECT_TIMEOUT_MS } from '../../src/shared/room-chat/limits.ts'
import type { SiteProcess } from '../drivers/site-process.ts'
import { connectGuests } from '../fixtures/populate-room.ts'
import type { ChatPage } from '../journeys/chat-page.ts'
import { accountScreens } from './account-screens.ts'
import { blockScreens } from './block-screens.ts'
import { callScreens } from './call-screens.ts'
import { directMessageScreens } from './direct-message-screens.ts'
import { edgeCaseScreens } from './edge-case-screens.ts'
import { followScreens } from './follow-screens.ts'
import { giftScreens } from './gift-screens.ts'
import { loadScreens } from './load-screens.ts'
import { moderationScreens, openModeration } from './moderation-screens.ts'
import { notificationScreens } from './notification-screens.ts'
import { optionScreens } from './option-screens.ts'
import { postScreens } from './post-screens.ts'
import { profileScreens } from './profile-screens.ts'
import { reportScreens } from './report-screens.ts'
import { requestScreens } from './request-screens.ts'
import { roomEntryScreens } from './room-entry-screens.ts'
import { roomManagementScreens } from './room-management-screens.ts'
import { roomMediaScreens } from './room-media-screens.ts'
import { roomOrderScreens } from './room-order-screens.ts'
import { sanctionScreens } from './sanction-screens.ts'
import {
  blockConnection,
  enterAsRootAdmin,
  enterRoomAsGuest,
  enterRoomWhenListed,
  enterUserList,
  interceptConnection,
  openUserList,
  type Screen,
  sendPopup,
  updateSiteDatabase,
  waitForUserList,
} from './screen-steps.ts'
import { signUpScreens } from './sign-up-screens.ts'
import { textFilterScreens } from './text-filter-screens.ts'
import { transientScreens } from './transient-screens.ts'
import { walletScreens } from './wallet-screens.ts'

let crowdCount = 0

/** Opens a page as a user who was banned while away; lifts the ban once the page shows it. */
async function openAsBannedUser(visitor: ChatPage, site: SiteProcess, path: string): Promise<void> {
  const { page } = visitor
  const userIdQuery = `select id from user where username = '${await enterRoomWhenListed(visitor)}'`
  await page.goto('about:blank')
  updateSiteDatabase(site, `delete from session where userId in (${userIdQuery})`)
  updateSiteDatabase(
    site,
    `insert into ban (userId, reason, duration, bannedById, at, endsAt)
     select id, 'Uygunsuz Mesaj', '1hr', id, 0, ${Date.now() + 3_600_000} from user where id in (${userIdQuery})`,
  )
  await page.goto(path)
  await page.getByText(/^Siteden yasaklandınız\. Sebep: /).waitFor()
  updateSiteDatabase(site, 'update ban set liftedAt = at where liftedAt is null')
}

/** Rooms, dialogs, connection states and error pages. */
const roomScreens: Screen[] = [
  {
    name: 'landing',
    signedInAs: 'nobody',
    open: async ({ page }) => {
      await page.goto('/')
    },
  },
  {
    name: 'landing-name-taken',
    signedInAs: 'nobody',
    expectedError: /status of 409/,
    open: async ({ page, nameField }) => {
      await page.goto('/')
      await nameField.fill('Ozan')
      await nameField.press('Enter')
      await page.getByText('Bu kullanıcı adı alınmış.').waitFor()
    },
  },
  {
    name: 'landing-sign-in-refused',
    signedInAs: 'nobody',
    expectedError: /status of 401/,
    open: async ({ page }) => {
      await page.goto('/')
      await page.getByText('Üye misin?').click()
      await page.getByLabel('Kullanıcı adı').fill('Ozan')
      await page.getByLabel('Şifre').fill('yanlış-parola')
      await page.getByLabel('Şifre').press('Enter')
      await page.getByText('Giriş başarısız.').waitFor()
    },
  },
  {
    name: 'landing-signed-in',
    signedInAs: 'guest',
    open: async (visitor) => {
      await enterRoomWhenListed(visitor)
      await visitor.page.goto('/')
      await visitor.page.getByText('olarak devam et').waitFor()
    },
  },
  { name: 'room', signedInAs: 'guest', open: enterRoomWhenListed },
  {
    name: 'room-own-messages',
    signedInAs: 'rootAdmin',
    open: async (visitor, site) => {
      await enterAsRootAdmin(visitor, site)
      for (const text of ['Hoş geldin Çağla :D', 'Konser için buluşma yeri saat kulesi'])
        await visitor.sendMessage(text)
      await visitor.waitForMessage('Konser için buluşma yeri saat kulesi')
      await visitor.page.locator('.person-viewer').waitFor({ state: 'attached' })
      await visitor.page.locator('.online-dot[data-online=false]').first().waitFor({ state: 'detached' })
    },
  },
  {
    name: 'room-replying',
    signedInAs: 'rootAdmin',
    open: async (visitor, site) => {
      await enterAsRootAdmin(visitor, site)
      const { page, messageLog } = visitor
      const startReply = async (text: string): Promise<void> => {
        await messageLog
          .locator('.bubble-row', { hasText: text })
          .getByRole('button', { name: 'Yanıtla', exact: true })
          .last()
          .focus()
        await page.keyboard.press('Enter')
        await page.locator('.reply-bar').waitFor()
      }
      await startReply('Akşamları daha da kalabalık')
      await visitor.sendMessage('@Ozan ve @Zeynep buna bir baksın: https://meydan.example/etkinlik')
      await page.locator('.bubble-row .quote').waitFor()
      await startReply('buna bir baksın')
    },
  },
  {
    name: 'room-mention',
    signedInAs: 'rootAdmin',
    open: async (visitor, site) => {
      await enterAsRootAdmin(visitor, site)
      await visitor.page.locator('.person-viewer').waitFor({ state: 'attached' })
      await visitor.composer.pressSequentially('Selam @')
      await visitor.page.getByRole('listbox').waitFor()
      await visitor.composer.press('ArrowDown')
    },
  },
  {
    name: 'room-emoji',
    signedInAs: 'guest',
    open: async (visitor) => {
      await enterRoomWhenListed(visitor)
      await visitor.page.getByRole('button', { name: 'Emoji seç' }).click()
      await visitor.page.getByPlaceholder('Arama').waitFor()
    },
  },
  {
    name: 'room-not-sent',
    open: async (visitor, site) => {
      // The server never receives the message, so its answer times out on an open connection.
      await visitor.page.context().routeWebSocket(/\/live$/, (socket) => {
        const server = socket.connectToServer()
        socket.onMessage((frame) => {
          if (!frame.includes('sendMessage')) server.send(frame)
          else socket.send(Buffer.from(encode([Kind.ephemeral, 'cursor', { cursor: 0 }])))
        })
      })
      await visitor.page.clock.install()
      await enterAsRootAdmin(visitor, site)
      await visitor.page.locator('.person-viewer').waitFor({ state: 'attached' })
      await visitor.sendMessage('Beni duyan var mı?')
      await visitor.page.clock.fastForward(CONNECT_TIMEOUT_MS + 1_000)
      // A toast says it too.
      await visitor.page.locator('.bubble-failure').waitFor()
    },
  },
  {
    name: 'room-people',
    signedInAs: 'guest',
    open: (visitor) => enterUserList(visitor),
  },
  {
    name: 'room-people-crowd',
    open: async (visitor, site) => {
      const disconnectGuests = await connectGuests(site, 250, 2, `Kalabalık${++crowdCount}.`)
      visitor.page.once('close', disconnectGuests)
      await enterUserList(visitor, '/room/2')
      await visitor.page.locator('.panel-scroll:has(.people)').evaluate((list) => list.scrollTo(0, 80 * 60))
      await visitor.page.locator(`.person-username:text-is("Kalabalık${crowdCount}.1065")`).waitFor()
    },
  },
  {
    name: 'room-people-no-match',
    signedInAs: 'guest',
    open: async (visitor) => {
      await enterUserList(visitor)
      await visitor.page.getByRole('searchbox', { name: 'Odadaki kullanıcılarda ara...' }).fill('hiç kimse')
      await visitor.page.getByText('Eşleşen kullanıcı bulunamadı!').waitFor()
    },
  },
  {
    name: 'room-people-premium',
    signedInAs: 'guest',
    open: async (visitor) => {
      await enterUserList(visitor)
      await visitor.page.getByRole('button', { name: 'Kadınlar' }).click()
      await visitor.page.getByText("Cinsiyet filtreleme yalnızca Premium'lara özel!").first().waitFor()
    },
  },
  {
    name: 'room-profile',
    signedInAs: 'guest',
    open: async (visitor) => {
      await enterUserList(visitor)
      await visitor.page.locator('.person', { hasText: 'Gülşah' }).click()
      await visitor.page
        .getByRole('dialog', { name: 'Profil' })
        .getByText(/çevrimiçi$|Son görülme/i)
        .waitFor()
    },
  },
  {
    name: 'room-profile-menu',
    signedInAs: 'rootAdmin',
    open: async (visitor, site) => {
      await enterAsRootAdmin(visitor, site)
      await openUserList(visitor)
      await visitor.page.locator('.person', { hasText: 'Ozan' }).click()
      await visitor.page.getByRole('button', { name: 'Diğer işlemler' }).click()
      await visitor.page.getByRole('menuitem', { name: 'Kullanıcı adını kopyala' }).waitFor()
    },
  },
  {
    name: 'room-all-users',
    signedInAs: 'rootAdmin',
    open: async (visitor, site) => {
      await enterAsRootAdmin(visitor, site)
      await visitor.page.locator('.person-viewer').waitFor({ state: 'attached' })
      await visitor.page.getByRole('button', { name: 'Tüm kullanıcılar' }).click()
      await visitor.page.getByRole('searchbox', { name: 'Kullanıcılarda ara...' }).waitFor()
      await visitor.page.locator('.person-username', { hasText: 'Deniz' }).first().waitFor()
    },
  },
  {
    name: 'room-rooms',
    signedInAs: 'guest',
    open: async (visitor) => {
      await enterRoomWhenListed(visitor)
      await visitor.page.getByRole('button', { name: /^Tüm Odalar/ }).click()
      await visitor.page
        .getByRole('dialog', { name: /Tüm Odalar/ })
        .getByText('En canlı odalar')
        .waitFor()
    },
  },
  {
    name: 'room-detail',
    signedInAs: 'guest',
    open: async (visitor) => {
      await enterRoomWhenListed(visitor)
      await visitor.page.getByRole('button', { name: /^Tüm Odalar/ }).click()
      await visitor.page.getByRole('button', { name: '#Müzik: Oda Bilgileri' }).click()
      await visitor.page.getByRole('button', { name: 'KADRO' }).click()
      await visitor.page.getByText('Bu odada henüz admin bulunmuyor.').waitFor()
    },
  },
  {
    name: 'room-settings',
    signedInAs: 'guest',
    open: async (visitor) => {
      await enterRoomWhenListed(visitor)
      const button = visitor.page.getByRole('button', { name: 'Ayarlar' })
      if (!(await button.isVisible())) return
      await button.click()
      await visitor.page.getByRole('dialog', { name: 'Ayarlar' }).waitFor()
    },
  },
  {
    name: 'room-status',
    signedInAs: 'guest',
    open: async (visitor) => {
      await enterRoomWhenListed(visitor)
      await visitor.page.getByRole('button', { name: /çevrimiçi/ }).click()
      await visitor.page.getByText('Sunucu Sahibi').waitFor()
    },
  },
  {
    name: 'room-management',
    signedInAs: 'guest',
    open: async (visitor) => {
      await enterRoomWhenListed(visitor)
      const { page } = visitor
      const settings = page.getByRole('button', { name: 'Ayarlar' })
      if (await settings.isVisible()) await settings.click()
      await page.getByRole('button', { name: 'Oda Yönetimi' }).click()
      await page.getByText('Kapasite').waitFor()
    },
  },
  {
    name: 'room-menu',
    signedInAs: 'guest',
    open: async (visitor) => {
      await enterRoomWhenListed(visitor)
      await visitor.messageLog.click({ button: 'right', position: { x: 60, y: 120 } })
      await visitor.page.getByRole('menuitem', { name: 'Oda Bilgileri' }).waitFor()
    },
  },
  {
    name: 'room-popup',
    signedInAs: 'rootAdmin',
    open: async (visitor, site) => {
      await enterAsRootAdmin(visitor, site)
      const html = '<p><b>Meydan yenilendi!</b> Bu akşam saat 21.00’de herkes saat kulesinin önünde.</p>'
      await sendPopup(visitor, { message: `${html}<ul><li>Canlı müzik</li><li>Çay bizden</li></ul>` })
      await visitor.page.getByRole('dialog', { name: 'Zeynep' }).getByText('Çay bizden').waitFor()
    },
  },
  {
    name: 'room-waiting',
    open: async (visitor) => {
      await enterRoomWhenListed(visitor)
      await visitor.composer.fill('Merhaba!')
      await visitor.composer.press('Enter')
      await visitor.page.getByText(/10 saniye beklemeniz/).waitFor()
    },
  },
  {
    name: 'room-search',
    signedInAs: 'rootAdmin',
    open: async (visitor, site) => {
      await enterAsRootAdmin(visitor, site)
      // The search index follows commands of the running site, not rows that a test inserts.
      await visitor.sendMessage('Akşama oradayım')
      await visitor.waitForMessage('Akşama oradayım')
      const { page } = visitor
      await page.getByRole('button', { name: 'Mesajlarda ara' }).click()
      const field = page.getByRole('combobox', { name: 'Mesajlarda ara' })
      // Typed again until the index has all three. Enter would open a result that has appeared meanwhile.
      const searchAgain = async () => {
        await field.fill('')
        await field.fill('akşam')
        await page.getByRole('option').nth(2).waitFor({ timeout: 3_000 })
      }
      while (
        !(await searchAgain().then(
          () => true,
          () => false,
        ))
      );
    },
  },
  {
    name: 'room-empty',
    signedInAs: 'guest',
    open: async (visitor) => {
      await enterRoomWhenListed(visitor)
      await visitor.page.goto('/room/5')
      await visitor.page.getByText('Burası şimdilik sessiz').waitFor()
    },
  },
  {
    name: 'room-reconnecting',
    expectedError: /WebSocket/,
    open: async (visitor) => {
      await blockConnection(visitor)
      await enterRoomAsGuest(visitor)
      await visitor.page.getByText('Sunucuya bağlanılıyor...').waitFor()
    },
  },
  {
    name: 'room-unreachable',
    expectedError: /WebSocket/,
    open: async (visitor) => {
      await blockConnection(visitor)
      await visitor.page.clock.install()
      await enterRoomAsGuest(visitor)
      const dialog = visitor.page.getByRole('alertdialog', { name: 'Sunucuya ulaşılamıyor' })
      while (!(await dialog.isVisible())) await visitor.page.clock.fastForward(3_000)
    },
  },
  {
    name: 'room-duplicate',
    open: async (visitor) => {
      await enterRoomWhenListed(visitor)
      const other = await visitor.page.context().newPage()
      await other.goto(visitor.page.url())
      await other.getByRole('log').waitFor()
      await visitor.page.reload()
      await visitor.page.getByRole('alertdialog', { name: 'Meydan başka bir yerde açık' }).waitFor()
    },
  },
  {
    name: 'room-full',
    signedInAs: 'guest',
    expectedError: /status of 409/,
    open: async (visitor, site) => {
      await enterRoomWhenListed(visitor)
      updateSiteDatabase(site, 'update room set capacity = 0 where id = 4')
      await visitor.page.goto('/room/4')
      await visitor.page.getByText('Oda dolu.').waitFor()
    },
  },
  {
    name: 'room-ban-form',
    signedInAs: 'rootAdmin',
    open: async (visitor, site) => {
      await enterAsRootAdmin(visitor, site)
      const { page, messageLog } = visitor
      await waitForUserList(visitor)
      await messageLog.locator('.group-person').last().click()
      await page.getByRole('button', { name: 'Diğer işlemler' }).click()
      await page.getByRole('menuitem', { name: 'Siteden Yasakla' }).click()
      await page.getByRole('dialog', { name: 'Siteden Yasakla' }).waitFor()
    },
  },
  {
    name: 'ghost-ban-form',
    signedInAs: 'rootAdmin',
    open: async (visitor, site) => {
      await enterAsRootAdmin(visitor, site)
      const { page, messageLog } = visitor
      await waitForUserList(visitor)
      await messageLog.locator('.group-person').last().click()
      await page.getByRole('button', { name: 'Diğer işlemler' }).click()
      await page.getByRole('menuitem', { name: 'Ghost Ban' }).click()
      await page.getByRole('dialog', { name: 'Ghost Ban' }).waitFor()
    },
  },
  {
    name: 'ghost-messages',
    signedInAs: 'rootAdmin',
    open: async (visitor, site) => {
      await enterAsRootAdmin(visitor, site)
      updateSiteDatabase(
        site,
        "update message set audience = 'actor' where roomId = 1 and senderId in (select id from user where isGuest = 1)",
      )
      await visitor.page.reload()
      await visitor.messageLog.getByText('Hayalet').first().waitFor()
    },
  },
  {
    name: 'room-bans',
    signedInAs: 'rootAdmin',
    open: async (visitor, site) => {
      await enterAsRootAdmin(visitor, site)
      const ban = (duration: string, reason: string, lastsMs: number | null) =>
        updateSiteDatabase(
          site,
          `insert into ban (userId, reason, duration, bannedById, at, endsAt)
           select guest.id, '${reason}', '${duration}', root.id, ${Date.now()}, ${lastsMs && Date.now() + lastsMs}
           from user guest, user root where guest.isGuest = 1 and root.username = 'Zeynep'
           order by guest.id limit 1 offset (select count(*) from ban where liftedAt is null)`,
        )
      ban('1hr', 'Uygunsuz Mesaj', 3_600_000)
      ban('indefinite', 'Uygunsuz Nickname', null)
      ban('10min', 'Uygunsuz Fotoğraf', 600_000)
      await openModeration(visitor, 'Yasaklar')
      await visitor.page
        .getByRole('button', { name: /^Ban Kaldır/ })
        .last()
        .waitFor()
      updateSiteDatabase(site, 'update ban set liftedAt = at where liftedAt is null')
    },
  },
  {
    name: 'room-clear',
    signedInAs: 'rootAdmin',
    open: async (visitor, site) => {
      await enterAsRootAdmin(visitor, site)
      await visitor.openContextMenu()
      await visitor.page.getByRole('menuitem', { name: 'Oda Mesajlarını Temizle' }).click()
      await visitor.page.getByRole('dialog', { name: 'Oda Mesajlarını Temizle' }).waitFor()
    },
  },
  {
    name: 'room-banned',
    expectedError: /status of 403/,
    open: (visitor, site) => openAsBannedUser(visitor, site, '/room/1'),
  },
  { name: 'landing-banned', open: (visitor, site) => openAsBannedUser(visitor, site, '/') },
  {
    name: 'room-maintenance',
    open: async (visitor) => {
      // Only this browser receives the event; the site stays open.
      const sendEvent = await interceptConnection(visitor)
      await enterRoomWhenListed(visitor)
      sendEvent('serverMaintenance', { isOn: true, message: refusals.Maintenance.message })
      await visitor.page.getByRole('alertdialog', { name: 'Meydan bakımda' }).waitFor()
    },
  },
  {
    name: 'maintenance',
    signedInAs: 'nobody',
    expectedError: /status of 503/,
    open: async ({ page }, site) => {
      updateSiteDatabase(site, 'update siteState set maintenanceSince = 1')
      await page.goto('/')
      await page.getByRole('heading', { name: 'Meydan bakımda' }).waitFor()
      updateSiteDatabase(site, 'update siteState set maintenanceSince = null')
    },
  },
  {
    name: 'not-found',
    signedInAs: 'nobody',
    expectedError: /status of 404/,
    open: async ({ page }) => {
      await page.goto('/olmayan')
      await page.getByText('Sayfa bulunamadı').waitFor()
    },
  },
]

/** Every screen of the site, which has to be filled by `populateRoom`. */
export const screens: Screen[] = [
  ...roomScreens,
  ...signUpScreens,
  ...accountScreens,
  ...profileScreens,
  ...blockScreens,
  ...followScreens,
  ...giftScreens,
  ...directMessageScreens,
  ...callScreens,
  ...optionScreens,
  ...postScreens,
  ...roomOrderScreens,
  ...moderationScreens,
  ...textFilterScreens,
  ...sanctionScreens,
  ...reportScreens,
  ...notificationScreens,
  ...loadScreens,
  ...roomEntryScreens,
  ...roomManagementScreens,
  ...roomMediaScreens,
  ...walletScreens,
  ...requestScreens,
  ...transientScreens,
  ...edgeCaseScreens,
]
