import { CloseCode, decodeClientFrame, encode, Kind } from '../src/shared/protocol/frame.ts'
import { refusals } from '../src/shared/protocol/refusals.ts'
import type { Visitor } from './journeys/visitor.ts'
import { granted, LiveLine, signIn } from './live-line.ts'
import {
  change,
  enterAsRootAdmin,
  enterLive,
  heeding,
  holdWhatGoes,
  keepSaying,
  openPeople,
  type Screen,
  sendPopup,
  waitForPeople,
} from './screen-steps.ts'
import { makeRootAdmin, type Site } from './site.ts'

/** A root admin, who may talk at once, says something in room 1. On a site that starts anew nobody would know of it. */
async function hear(site: Site, visitor: Visitor, ...words: string[]): Promise<void> {
  const { token } = await signIn(site.origin, 'Kerem', await makeRootAdmin(site, 'Kerem'))
  const { line } = await LiveLine.open(site.origin, token)
  granted(await line.ask('joinRoom', { roomId: 1 }))
  for (const content of words) {
    granted(await line.ask('sendMessage', { roomId: 1, content, clientId: crypto.randomUUID() }))
    await visitor.reads(content)
  }
  line.socket.close()
  change(site, "delete from message where senderId in (select id from user where username = 'Kerem')")
}

/** Further up than the end of the thread, and new things are said. */
async function missSomething(visitor: Visitor, site: Site): Promise<void> {
  await enterLive(visitor)
  await visitor.log.evaluate((log) => log.scrollTo(0, -300))
  await visitor.page.getByRole('button', { name: 'En alta in' }).waitFor()
  await hear(site, visitor, 'Saat kulesinin önündeyim', 'Sarı şapkalı olan benim', 'Gelen var mı?')
  await visitor.page.getByRole('button', { name: '3 yeni mesaj' }).waitFor()
}

/** The present line breaks, and the next one is let through when the network says that it is there. */
async function breakLine(visitor: Visitor, words: string): Promise<() => Promise<void>> {
  let breakNow = (): void => {}
  await visitor.page.context().routeWebSocket(/\/live$/, (socket) => {
    socket.connectToServer()
    breakNow = () => {
      socket.send(Buffer.from(encode([Kind.ephemeral, 'serverShutdown', { message: words }])))
      void socket.close({ code: CloseCode.shuttingDown })
    }
  })
  await enterLive(visitor)
  breakNow()
  await visitor.page.getByText(words).waitFor()
  return () => visitor.page.evaluate(() => void dispatchEvent(new Event('online')))
}

/** What comes and goes: hints, lines, what is said for a moment, what a finger holds, states of the line. */
export const passing: Screen[] = [
  {
    name: 'landing-entering',
    show: async ({ page, nameField }) => {
      await page.goto('/')
      // The form is as it was sent, and nothing comes of it.
      await page.evaluate(() => window.addEventListener('submit', (event) => event.preventDefault()))
      await nameField.fill('Yağmur')
      await nameField.press('Enter')
      await page.getByText('Meydana giriliyor...').waitFor()
    },
  },
  {
    name: 'landing-sent-home',
    show: async (visitor) => {
      const tell = await heeding(visitor)
      await enterLive(visitor)
      const message = 'Oturumunuz başka bir yerde devam ediyor.'
      tell('forceDisconnect', { message })
      await visitor.page.locator('.farewell', { hasText: message }).waitFor()
    },
  },
  {
    name: 'room-beginning',
    show: async (visitor) => {
      await enterLive(visitor)
      await visitor.log.evaluate((log) => log.scrollTo(0, -log.scrollHeight))
      await visitor.page.getByRole('button', { name: 'En alta in' }).waitFor()
    },
  },
  { name: 'room-unread', show: missSomething },
  {
    name: 'room-new-line',
    show: async (visitor, site) => {
      await missSomething(visitor, site)
      await visitor.page.getByRole('button', { name: '3 yeni mesaj' }).click()
      await visitor.page.getByText('Yeni mesajlar').waitFor()
      await visitor.page.locator('.to-end').waitFor({ state: 'detached' })
    },
  },
  {
    name: 'room-typing',
    show: async (visitor) => {
      const tell = await heeding(visitor)
      await enterLive(visitor)
      const users = ['Gülşah', 'Mert'].map((username, index) => ({ id: 9_001 + index, username }))
      // Who is not heard of for 5 seconds writes no more.
      keepSaying(visitor, () => tell('typing', { roomId: 1, users }))
      await visitor.page.getByText('Gülşah ve Mert yazıyor').waitFor()
    },
  },
  {
    name: 'room-swipe',
    show: async (visitor) => {
      await enterLive(visitor)
      // What follows fingers is loaded once messages can be read.
      await visitor.page.waitForLoadState('networkidle')
      const row = visitor.log.locator('.bubble-row').last()
      await row.evaluate((element) => {
        const { left, top } = element.getBoundingClientRect()
        const touch = (name: string, movedX: number): void => {
          const at = { identifier: 1, target: element, clientX: left + 20 + movedX, clientY: top + 20 }
          element.dispatchEvent(new TouchEvent(name, { touches: [new Touch(at)], bubbles: true }))
        }
        touch('touchstart', 0)
        touch('touchmove', 72)
      })
      await visitor.page.locator('.bubble-row[data-pull=reply]').waitFor()
    },
  },
  {
    name: 'room-toasts',
    show: async (visitor) => {
      await holdWhatGoes(visitor)
      const tell = await heeding(visitor)
      await enterLive(visitor)
      await openPeople(visitor)
      await visitor.page.locator('.person', { hasText: 'Elif' }).click()
      await visitor.page.getByRole('button', { name: 'Kullanıcı adını kopyala' }).click()
      await visitor.page.locator('.toast', { hasText: /Kopyalan/ }).waitFor()
      tell('mentionNotification', {
        mentionedUsername: 'Konuk',
        roomId: 3,
        content: '@Konuk bu şarkıyı dinledin mi?',
        messageSender: 'Deniz',
        isGuest: true,
        userId: 1,
        messageId: 1,
      })
      await visitor.page.locator('.toast', { hasText: 'Deniz senden bahsetti' }).waitFor()
    },
  },
  {
    name: 'room-popups',
    show: async (visitor, site) => {
      await enterAsRootAdmin(visitor, site)
      await waitForPeople(visitor)
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
    show: async (visitor) => {
      await breakLine(visitor, 'Sunucu yeniden başlatılıyor...')
    },
  },
  {
    name: 'room-connected-again',
    show: async (visitor) => {
      await holdWhatGoes(visitor)
      const comeBack = await breakLine(visitor, 'Sunucu yeniden başlatılıyor...')
      await comeBack()
      await visitor.page.getByText('Bağlantı kuruldu.').waitFor()
    },
  },
  {
    name: 'room-outdated',
    show: async (visitor) => {
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
