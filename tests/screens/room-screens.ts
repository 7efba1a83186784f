import { encode, Kind } from '../../src/shared/protocol/frame.ts'
import { CONNECT_TIMEOUT_MS } from '../../src/shared/room-chat/limits.ts'
import { updateSiteDatabase } from '../drivers/site.ts'
import { enterAsRootAdmin, enterRoomWhenListed, type Screen, searchUntilFound, sendPopup } from './screen-steps.ts'

/** A room with what opens over it. */
export const roomScreens: Screen[] = [
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
          .getByRole('button', { name: /^Yanıtla:/ })
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
    name: 'room-pasted',
    signedInAs: 'guest',
    open: async (visitor) => {
      await enterRoomWhenListed(visitor)
      const { page, composer } = visitor
      const texts = ['❤ ☺ 2026', 'مرحبا كيف حالك', 'Saat kulesinin önünde buluşuyoruz, herkes gelsin, çay var', '😀']
      for (const text of texts) await visitor.sendMessage(text)
      await page.context().grantPermissions(['clipboard-read', 'clipboard-write'])
      await page.evaluate((text) => navigator.clipboard.writeText(text), 'uzun bir yazı '.repeat(200))
      await composer.focus()
      await page.keyboard.press('ControlOrMeta+v')
      await page.getByText('karakter sığmadı').waitFor()
      await composer.press('Enter')
      await page.getByText('Mesajın süre bitince gönderilecek.').waitFor()
    },
  },
  {
    name: 'room-leaving',
    signedInAs: 'guest',
    open: async (visitor) => {
      await enterRoomWhenListed(visitor)
      const { page, messageLog } = visitor
      await messageLog.click({ position: { x: 5, y: 5 } })
      await page.goBack()
      await page.getByRole('dialog', { name: 'Odadan ayrılıyor musun?' }).waitFor()
    },
  },
  {
    name: 'room-opening',
    signedInAs: 'guest',
    open: async (visitor) => {
      await enterRoomWhenListed(visitor)
      const { page } = visitor
      // The panel's code does not come, and its skeleton stays.
      await page.route(/\/assets\/notifications-panel-.*\.js$/, () => {})
      await page.getByRole('button', { name: 'Bildirimler' }).click()
      await page.getByRole('status', { name: 'Yükleniyor...' }).waitFor()
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
      const { promise: isWaiting, resolve: noteWaiting } = Promise.withResolvers<void>()
      await visitor.page.context().routeWebSocket(/\/live$/, (socket) => {
        const server = socket.connectToServer()
        socket.onMessage((frame) => {
          if (!frame.includes('sendMessage')) {
            server.send(frame)
          } else {
            socket.send(Buffer.from(encode([Kind.ephemeral, 'cursor', { cursor: 0 }])))
            noteWaiting()
          }
        })
      })
      await visitor.page.clock.install()
      await enterAsRootAdmin(visitor, site)
      await visitor.page.locator('.person-viewer').waitFor({ state: 'attached' })
      await visitor.sendMessage('Beni duyan var mı?')
      await isWaiting
      await visitor.page.clock.fastForward(CONNECT_TIMEOUT_MS + 1_000)
      // A toast says it too.
      await visitor.page.locator('.bubble-failure').waitFor()
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
      await searchUntilFound(page, 'akşam', 3)
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
]
