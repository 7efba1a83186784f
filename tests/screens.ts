import { encode, Kind } from '../src/shared/protocol/frame.ts'
import { refusals } from '../src/shared/protocol/refusals.ts'
import { CONNECT_TIMEOUT_MS } from '../src/shared/text/limits.ts'
import { blocks } from './block-screens.ts'
import type { Visitor } from './journeys/visitor.ts'
import { limits } from './limit-screens.ts'
import { own } from './own-screens.ts'
import { passing } from './passing-screens.ts'
import { crowd } from './populate.ts'
import { profile } from './profile-screens.ts'
import {
  change,
  cutLine,
  enter,
  enterAsRootAdmin,
  enterLive,
  enterPeople,
  heeding,
  openPeople,
  type Screen,
  sendPopup,
  waitForPeople,
} from './screen-steps.ts'
import { signingUp } from './sign-up-screens.ts'
import type { Site } from './site.ts'

let crowds = 0

/** A page as somebody sees it who was banned while they were away. Nobody else is, and nobody is for long. */
async function lookBanned(visitor: Visitor, site: Site, path: string): Promise<void> {
  const { page } = visitor
  const of = `select id from user where username = '${await enterLive(visitor)}'`
  await page.goto('about:blank')
  change(site, `delete from session where userId in (${of})`)
  change(
    site,
    `insert into ban (userId, reason, duration, bannedById, at, endsAt)
     select id, 'Uygunsuz Mesaj', '1hr', id, 0, ${Date.now() + 3_600_000} from user where id in (${of})`,
  )
  await page.goto(path)
  await page.getByText(/^Siteden yasaklandınız\. Sebep: /).waitFor()
  change(site, 'update ban set liftedAt = at where liftedAt is null')
}

/** What people get to see day by day. */
const daily: Screen[] = [
  {
    name: 'landing',
    show: async ({ page }) => {
      await page.goto('/')
    },
  },
  {
    name: 'landing-name-taken',
    complaint: /status of 409/,
    show: async ({ page, nameField }) => {
      await page.goto('/')
      await nameField.fill('Ozan')
      await nameField.press('Enter')
      await page.getByText('Bu kullanıcı adı alınmış.').waitFor()
    },
  },
  {
    name: 'landing-sign-in-refused',
    complaint: /status of 401/,
    show: async ({ page }) => {
      await page.goto('/')
      await page.getByText('Üye misin?').click()
      await page.getByLabel('Kullanıcı adı').fill('Ozan')
      await page.getByLabel('Şifre').fill('yanlış-parola')
      await page.getByLabel('Şifre').press('Enter')
      await page.getByText('Giriş başarısız.').waitFor()
    },
  },
  {
    name: 'landing-come-back',
    show: async (visitor) => {
      await enterLive(visitor)
      await visitor.page.goto('/')
      await visitor.page.getByText('olarak devam et').waitFor()
    },
  },
  { name: 'room', show: enterLive },
  {
    name: 'room-talking',
    show: async (visitor, site) => {
      await enterAsRootAdmin(visitor, site)
      for (const text of ['Hoş geldin Çağla :D', 'Konser için buluşma yeri saat kulesi']) await visitor.say(text)
      await visitor.reads('Konser için buluşma yeri saat kulesi')
      await visitor.page.locator('.person-viewer').waitFor({ state: 'attached' })
      await visitor.page.locator('.online-dot[data-online=false]').first().waitFor({ state: 'detached' })
    },
  },
  {
    name: 'room-answering',
    show: async (visitor, site) => {
      await enterAsRootAdmin(visitor, site)
      const { page, log } = visitor
      const answer = async (text: string): Promise<void> => {
        await log
          .locator('.bubble-row', { hasText: text })
          .getByRole('button', { name: 'Yanıtla', exact: true })
          .last()
          .focus()
        await page.keyboard.press('Enter')
        await page.locator('.reply-bar').waitFor()
      }
      await answer('Akşamları daha da kalabalık')
      await visitor.say('@Ozan ve @Zeynep buna bir baksın: https://meydan.example/etkinlik')
      await page.locator('.bubble-row .quote').waitFor()
      await answer('buna bir baksın')
    },
  },
  {
    name: 'room-mention',
    show: async (visitor, site) => {
      await enterAsRootAdmin(visitor, site)
      await visitor.page.locator('.person-viewer').waitFor({ state: 'attached' })
      await visitor.composer.pressSequentially('Selam @')
      await visitor.page.getByRole('listbox').waitFor()
      await visitor.composer.press('ArrowDown')
    },
  },
  {
    name: 'room-emoji',
    show: async (visitor) => {
      await enterLive(visitor)
      await visitor.page.getByRole('button', { name: 'Emoji seç' }).click()
      await visitor.page.getByPlaceholder('Arama').waitFor()
    },
  },
  {
    name: 'room-not-sent',
    show: async (visitor, site) => {
      // The server never gets to see the message, so no answer comes in time, though the line is there.
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
      await visitor.say('Beni duyan var mı?')
      await visitor.page.clock.fastForward(CONNECT_TIMEOUT_MS + 1_000)
      await visitor.page.getByText('Mesaj gönderilemedi!').waitFor()
    },
  },
  {
    name: 'room-people',
    show: (visitor) => enterPeople(visitor),
  },
  {
    name: 'room-people-crowd',
    show: async (visitor, site) => {
      const sendHome = await crowd(site, 250, 2, `Kalabalık${++crowds}.`)
      visitor.page.once('close', sendHome)
      await enterPeople(visitor, '/room/2')
      await visitor.page.locator('.panel-scroll:has(.people)').evaluate((list) => list.scrollTo(0, 80 * 60))
      await visitor.page.locator(`.person-username:text-is("Kalabalık${crowds}.1065")`).waitFor()
    },
  },
  {
    name: 'room-people-nobody',
    show: async (visitor) => {
      await enterPeople(visitor)
      await visitor.page.getByRole('searchbox', { name: 'Odadaki kullanıcılarda ara...' }).fill('hiç kimse')
      await visitor.page.getByText('Eşleşen kullanıcı bulunamadı!').waitFor()
    },
  },
  {
    name: 'room-people-premium',
    show: async (visitor) => {
      await enterPeople(visitor)
      await visitor.page.getByRole('button', { name: 'Kadınlar' }).click()
      await visitor.page.getByText("Cinsiyet filtreleme yalnızca Premium'lara özel!").first().waitFor()
    },
  },
  {
    name: 'room-profile',
    show: async (visitor) => {
      await enterPeople(visitor)
      await visitor.page.locator('.person', { hasText: 'Gülşah' }).click()
      await visitor.page
        .getByRole('dialog', { name: 'Profil' })
        .getByText(/çevrimiçi$|Son görülme/i)
        .waitFor()
    },
  },
  {
    name: 'room-profile-menu',
    show: async (visitor, site) => {
      await enterAsRootAdmin(visitor, site)
      await openPeople(visitor)
      await visitor.page.locator('.person', { hasText: 'Ozan' }).click()
      await visitor.page.getByRole('button', { name: 'Diğer işlemler' }).click()
      await visitor.page.getByRole('menuitem', { name: 'Kullanıcı adını kopyala' }).waitFor()
    },
  },
  {
    name: 'room-all-users',
    show: async (visitor, site) => {
      await enterAsRootAdmin(visitor, site)
      await visitor.page.locator('.person-viewer').waitFor({ state: 'attached' })
      await visitor.page.getByRole('button', { name: 'Tüm kullanıcılar' }).click()
      await visitor.page.getByRole('searchbox', { name: 'Kullanıcılarda ara...' }).waitFor()
      await visitor.page.locator('.person-username', { hasText: 'Deniz' }).first().waitFor()
    },
  },
  {
    name: 'room-rooms',
    show: async (visitor) => {
      await enterLive(visitor)
      await visitor.page.getByRole('button', { name: /^Tüm Odalar/ }).click()
      await visitor.page
        .getByRole('dialog', { name: /Tüm Odalar/ })
        .getByText('En canlı odalar')
        .waitFor()
    },
  },
  {
    name: 'room-detail',
    show: async (visitor) => {
      await enterLive(visitor)
      await visitor.page.getByRole('button', { name: /^Tüm Odalar/ }).click()
      await visitor.page.getByRole('button', { name: '#Müzik: Oda Bilgileri' }).click()
      await visitor.page.getByRole('button', { name: 'KADRO' }).click()
      await visitor.page.getByText('Bu odada henüz admin bulunmuyor.').waitFor()
    },
  },
  {
    name: 'room-settings',
    show: async (visitor) => {
      await enterLive(visitor)
      const button = visitor.page.getByRole('button', { name: 'Ayarlar' })
      if (!(await button.isVisible())) return
      await button.click()
      await visitor.page.getByRole('dialog', { name: 'Ayarlar' }).waitFor()
    },
  },
  {
    name: 'room-status',
    show: async (visitor) => {
      await enterLive(visitor)
      await visitor.page.getByRole('button', { name: /çevrimiçi/ }).click()
      await visitor.page.getByText('Sunucu Sahibi').waitFor()
    },
  },
  {
    name: 'room-management',
    show: async (visitor) => {
      await enterLive(visitor)
      const { page } = visitor
      const settings = page.getByRole('button', { name: 'Ayarlar' })
      if (await settings.isVisible()) await settings.click()
      await page.getByRole('button', { name: 'Oda Yönetimi' }).click()
      await page.getByText('Kapasite').waitFor()
    },
  },
  {
    name: 'room-menu',
    show: async (visitor) => {
      await enterLive(visitor)
      await visitor.log.click({ button: 'right', position: { x: 60, y: 120 } })
      await visitor.page.getByRole('menuitem', { name: 'Oda Bilgileri' }).waitFor()
    },
  },
  {
    name: 'room-popup',
    show: async (visitor, site) => {
      await enterAsRootAdmin(visitor, site)
      const html = '<p><b>Meydan yenilendi!</b> Bu akşam saat 21.00’de herkes saat kulesinin önünde.</p>'
      await sendPopup(visitor, { message: `${html}<ul><li>Canlı müzik</li><li>Çay bizden</li></ul>` })
      await visitor.page.getByRole('dialog', { name: 'Zeynep' }).getByText('Çay bizden').waitFor()
    },
  },
  {
    name: 'room-waiting',
    show: async (visitor) => {
      await enterLive(visitor)
      await visitor.composer.fill('Merhaba!')
      await visitor.composer.press('Enter')
      await visitor.page.getByText(/10 saniye beklemeniz/).waitFor()
    },
  },
  {
    name: 'room-search',
    show: async (visitor, site) => {
      await enterAsRootAdmin(visitor, site)
      // What this site writes itself is what its index follows.
      await visitor.say('Akşama oradayım')
      await visitor.reads('Akşama oradayım')
      const { page } = visitor
      await page.getByRole('button', { name: 'Mesajlarda ara' }).click()
      const field = page.getByRole('combobox', { name: 'Mesajlarda ara' })
      await field.fill('akşam')
      while ((await page.getByRole('option').count()) < 3) {
        await field.press('Enter')
        await page.getByText(/bulundu|bulunamadı/).waitFor()
      }
    },
  },
  {
    name: 'room-empty',
    show: async (visitor) => {
      await enterLive(visitor)
      await visitor.page.goto('/room/5')
      await visitor.page.getByText('Burası şimdilik sessiz').waitFor()
    },
  },
  {
    name: 'room-reconnecting',
    complaint: /WebSocket/,
    show: async (visitor) => {
      await cutLine(visitor)
      await enter(visitor)
      await visitor.page.getByText('Sunucuya bağlanılıyor...').waitFor()
    },
  },
  {
    name: 'room-unreachable',
    complaint: /WebSocket/,
    show: async (visitor) => {
      await cutLine(visitor)
      await visitor.page.clock.install()
      await enter(visitor)
      const dialog = visitor.page.getByRole('alertdialog', { name: 'Sunucuya ulaşılamıyor' })
      while (!(await dialog.isVisible())) await visitor.page.clock.fastForward(3_000)
    },
  },
  {
    name: 'room-duplicate',
    show: async (visitor) => {
      await enterLive(visitor)
      const other = await visitor.page.context().newPage()
      await other.goto(visitor.page.url())
      await other.getByRole('log').waitFor()
      await visitor.page.reload()
      await visitor.page.getByRole('alertdialog', { name: 'Meydan başka bir yerde açık' }).waitFor()
    },
  },
  {
    name: 'room-full',
    complaint: /status of 409/,
    show: async (visitor, site) => {
      await enterLive(visitor)
      change(site, 'update room set capacity = 0 where id = 4')
      await visitor.page.goto('/room/4')
      await visitor.page.getByText('Oda dolu.').waitFor()
    },
  },
  {
    name: 'room-ban-form',
    show: async (visitor, site) => {
      await enterAsRootAdmin(visitor, site)
      const { page, log } = visitor
      await waitForPeople(visitor)
      await log.locator('.group-person').last().click()
      await page.getByRole('button', { name: 'Diğer işlemler' }).click()
      await page.getByRole('menuitem', { name: 'Siteden Yasakla' }).click()
      await page.getByRole('dialog', { name: 'Siteden Yasakla' }).waitFor()
    },
  },
  {
    name: 'room-bans',
    show: async (visitor, site) => {
      await enterAsRootAdmin(visitor, site)
      const ban = (duration: string, reason: string, lastsMs: number | null) =>
        change(
          site,
          `insert into ban (userId, reason, duration, bannedById, at, endsAt)
           select guest.id, '${reason}', '${duration}', root.id, ${Date.now()}, ${lastsMs && Date.now() + lastsMs}
           from user guest, user root where guest.isGuest = 1 and root.username = 'Zeynep'
           order by guest.id limit 1 offset (select count(*) from ban where liftedAt is null)`,
        )
      ban('1hr', 'Uygunsuz Mesaj', 3_600_000)
      ban('indefinite', 'Uygunsuz Nickname', null)
      ban('10min', 'Uygunsuz Fotoğraf', 600_000)
      await visitor.openMenu()
      await visitor.page.getByRole('menuitem', { name: 'Yasaklı Kullanıcılar' }).click()
      await visitor.page
        .getByRole('button', { name: /^Ban Kaldır/ })
        .last()
        .waitFor()
      change(site, 'update ban set liftedAt = at where liftedAt is null')
    },
  },
  {
    name: 'room-clear',
    show: async (visitor, site) => {
      await enterAsRootAdmin(visitor, site)
      await visitor.openMenu()
      await visitor.page.getByRole('menuitem', { name: 'Oda Mesajlarını Temizle' }).click()
      await visitor.page.getByRole('dialog', { name: 'Oda Mesajlarını Temizle' }).waitFor()
    },
  },
  {
    name: 'room-banned',
    complaint: /status of 403/,
    show: (visitor, site) => lookBanned(visitor, site, '/room/1'),
  },
  { name: 'landing-banned', show: (visitor, site) => lookBanned(visitor, site, '/') },
  {
    name: 'room-maintenance',
    show: async (visitor) => {
      // Only this browser is told, and the site goes on.
      const tell = await heeding(visitor)
      await enterLive(visitor)
      tell('serverMaintenance', { isOn: true, message: refusals.Maintenance.message })
      await visitor.page.getByRole('alertdialog', { name: 'Meydan bakımda' }).waitFor()
    },
  },
  {
    name: 'maintenance',
    complaint: /status of 503/,
    show: async ({ page }, site) => {
      change(site, 'update siteState set maintenanceSince = 1')
      await page.goto('/')
      await page.getByRole('heading', { name: 'Meydan bakımda' }).waitFor()
      change(site, 'update siteState set maintenanceSince = null')
    },
  },
  {
    name: 'not-found',
    complaint: /status of 404/,
    show: async ({ page }) => {
      await page.goto('/olmayan')
      await page.getByText('Sayfa bulunamadı').waitFor()
    },
  },
]

/** Every screen that there is, as people get to see them. The site is one that `populate` has filled. */
export const screens: Screen[] = [...daily, ...signingUp, ...own, ...profile, ...blocks, ...passing, ...limits]
