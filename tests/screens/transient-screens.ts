import { CloseCode, decodeClientFrame, encode, Kind } from '../../src/shared/protocol/frame.ts'
import { refusals } from '../../src/shared/protocol/refusals.ts'
import { expectAnswer, LiveConnection, signIn } from '../drivers/live-connection.ts'
import { type Site, updateSiteDatabase } from '../drivers/site.ts'
import type { ChatPage } from '../journeys/chat-page.ts'
import {
  enterAsRootAdmin,
  enterRoomWhenListed,
  interceptConnection,
  keepToastsOpen,
  openUserList,
  repeatUntilClosed,
  type Screen,
  sendPopup,
  waitForUserList,
} from './screen-steps.ts'

/** Sends messages to room 1 as a root admin, who has no wait, and then removes them from the database. */
async function receiveMessages(site: Site, visitor: ChatPage, ...words: string[]): Promise<void> {
  const { token } = await signIn(site.origin, 'Kerem', await site.createRootAdmin('Kerem'))
  const { connection } = await LiveConnection.open(site.origin, token)
  expectAnswer(await connection.request('joinRoom', { roomId: 1 }))
  for (const content of words) {
    expectAnswer(await connection.request('sendMessage', { roomId: 1, content, clientId: crypto.randomUUID() }))
    await visitor.waitForMessage(content)
  }
  connection.socket.close()
  updateSiteDatabase(site, "delete from message where senderId in (select id from user where username = 'Kerem')")
}

/** Receives three messages while the thread is scrolled up. */
async function receiveWhileScrolledUp(visitor: ChatPage, site: Site): Promise<void> {
  await enterRoomWhenListed(visitor)
  await visitor.messageLog.evaluate((log) => log.scrollTo(0, -300))
  await visitor.page.getByRole('button', { name: 'En alta in' }).waitFor()
  await receiveMessages(site, visitor, 'Saat kulesinin önündeyim', 'Sarı şapkalı olan benim', 'Gelen var mı?')
  await visitor.page.getByRole('button', { name: '3 yeni mesaj' }).waitFor()
}

/** Closes the connection; the returned function lets the page reconnect by an `online` event. */
async function breakConnection(visitor: ChatPage, words: string): Promise<() => Promise<void>> {
  let breakNow = (): void => {}
  await visitor.page.context().routeWebSocket(/\/live$/, (socket) => {
    socket.connectToServer()
    breakNow = () => {
      socket.send(Buffer.from(encode([Kind.ephemeral, 'serverShutdown', { message: words }])))
      void socket.close({ code: CloseCode.shuttingDown })
    }
  })
  await enterRoomWhenListed(visitor)
  breakNow()
  await visitor.page.getByText(words).waitFor()
  return () => visitor.page.evaluate(() => void dispatchEvent(new Event('online')))
}

/** Screens that pass by themselves: pending forms, typing, toasts, drags, connection states. */
export const transientScreens: Screen[] = [
  {
    name: 'landing-entering',
    signedInAs: 'nobody',
    open: async ({ page, nameField }) => {
      await page.goto('/')
      // Cancels the submit, so that the pending state stays.
      await page.evaluate(() => window.addEventListener('submit', (event) => event.preventDefault()))
      await nameField.fill('Yağmur')
      await nameField.press('Enter')
      await page.getByText('Meydana giriliyor...').waitFor()
    },
  },
  {
    name: 'landing-session-ended',
    open: async (visitor) => {
      const sendEvent = await interceptConnection(visitor)
      await enterRoomWhenListed(visitor)
      const message = 'Oturumun başka bir yerde devam ediyor.'
      sendEvent('forceDisconnect', { message })
      await visitor.page.locator('[data-end-message]', { hasText: message }).waitFor()
    },
  },
  {
    name: 'room-beginning',
    signedInAs: 'guest',
    open: async (visitor) => {
      await enterRoomWhenListed(visitor)
      await visitor.messageLog.evaluate((log) => log.scrollTo(0, -log.scrollHeight))
      await visitor.page.getByRole('button', { name: 'En alta in' }).waitFor()
    },
  },
  { name: 'room-unread', signedInAs: 'guest', open: receiveWhileScrolledUp },
  {
    name: 'room-unread-divider',
    signedInAs: 'guest',
    open: async (visitor, site) => {
      await receiveWhileScrolledUp(visitor, site)
      await visitor.page.getByRole('button', { name: '3 yeni mesaj' }).click()
      await visitor.page.getByText('Yeni mesajlar').waitFor()
      await visitor.page.locator('.to-end').waitFor({ state: 'detached' })
    },
  },
  {
    name: 'room-typing',
    open: async (visitor) => {
      const sendEvent = await interceptConnection(visitor)
      await enterRoomWhenListed(visitor)
      const users = ['Gülşah', 'Mert'].map((username, index) => ({ id: 9_001 + index, username }))
      // A typing user is hidden 5 seconds after the last event.
      repeatUntilClosed(visitor, () => sendEvent('typing', { roomId: 1, users }))
      await visitor.page.getByText('Gülşah ve Mert yazıyor').waitFor()
    },
  },
  {
    name: 'room-swipe',
    signedInAs: 'guest',
    open: async (visitor) => {
      await enterRoomWhenListed(visitor)
      // The swipe code is loaded after the messages.
      await visitor.page.waitForLoadState('networkidle')
      const row = visitor.messageLog.locator('.bubble-row').last()
      await row.evaluate((element) => {
        const { left, top } = element.getBoundingClientRect()
        const touch = (name: string, movedX: number): void => {
          const at = { identifier: 1, target: element, clientX: left + 20 + movedX, clientY: top + 20 }
          element.dispatchEvent(new TouchEvent(name, { touches: [new Touch(at)], bubbles: true }))
        }
        touch('touchstart', 0)
        touch('touchmove', 72)
      })
      await visitor.page.locator('.bubble-row[data-drag=reply]').waitFor()
    },
  },
  {
    name: 'room-toasts',
    open: async (visitor) => {
      await keepToastsOpen(visitor)
      const sendEvent = await interceptConnection(visitor)
      await enterRoomWhenListed(visitor)
      await openUserList(visitor)
      await visitor.page.locator('.person', { hasText: 'Elif' }).click()
      await visitor.page.getByRole('button', { name: 'Kullanıcı adını kopyala' }).click()
      await visitor.page.locator('.toast', { hasText: /Kopyalan/ }).waitFor()
      sendEvent('newNotification', {
        id: 1,
        type: 'mention',
        requestId: null,
        senderId: 2,
        recipientId: 1,
        senderUsername: 'Deniz',
        recipientUsername: 'Konuk',
        senderAvatarUrl: null,
        senderGender: null,
        senderIsGuest: true,
        senderCount: 1,
        read: false,
        content: '@Konuk bu şarkıyı dinledin mi?',
        roomId: 3,
        messageSender: 'Deniz',
        messageId: 1,
        postId: null,
        postOwnerId: null,
        postOwnerUsername: null,
        createdAt: Date.now(),
        unread: { dmCall: 0, follow: 0, mention: 1, withdrawalRequest: 0, starRequest: 0, other: 0 },
        removedId: null,
      })
      await visitor.page.locator('.toast', { hasText: 'Deniz senden bahsetti' }).waitFor()
    },
  },
  {
    name: 'room-popups',
    signedInAs: 'rootAdmin',
    open: async (visitor, site) => {
      await enterAsRootAdmin(visitor, site)
      await waitForUserList(visitor)
      for (const message of [
        '<p>Birinci duyuru</p>',
        '<p>İkinci duyuru</p>',
        '<p>Bu akşam <b>21.00</b>’de konser!</p>',
      ])
        await sendPopup(visitor, { message })
      await visitor.page.getByRole('dialog').nth(2).waitFor()
    },
  },
  {
    name: 'room-restarting',
    open: async (visitor) => {
      await breakConnection(visitor, 'Sunucu yeniden başlatılıyor...')
    },
  },
  {
    name: 'room-reconnected',
    open: async (visitor) => {
      await keepToastsOpen(visitor)
      const reconnect = await breakConnection(visitor, 'Sunucu yeniden başlatılıyor...')
      await reconnect()
      await visitor.page.getByText('Bağlantı kuruldu.').waitFor()
    },
  },
  {
    name: 'room-outdated',
    open: async (visitor) => {
      await visitor.page.context().routeWebSocket(/\/live$/, (socket) => {
        const body = { code: 'ProtocolOutdated', message: refusals.ProtocolOutdated.message }
        socket.onMessage((frame) => {
          for (const [kind, id] of decodeClientFrame(Buffer.from(frame)) ?? [])
            if (kind === Kind.request) socket.send(Buffer.from(encode([Kind.refusal, id, body])))
        })
      })
      await visitor.enterAsGuest(`Eski${Date.now() % 1e9}`)
      await visitor.page.getByRole('alertdialog', { name: 'Meydan yenilendi' }).waitFor()
    },
  },
]
