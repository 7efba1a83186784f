// @module-tag deep
import type { Page } from 'playwright-core'
import { describe, expect } from 'vitest'
import { DUPLICATE_ANSWER_TIMEOUT_MS } from '../../src/shared/room-chat/limits.ts'
import { expectAnswer, LiveConnection } from '../drivers/live-connection.ts'
import { ChatPage } from './chat-page.ts'
import { expectBlockingOverlay } from './connection-fixtures.ts'
import { journey } from './journey.ts'

const DUPLICATE_TITLE = 'Meydan başka bir yerde açık'
const duplicateDialog = (page: Page) => page.getByRole('alertdialog', { name: DUPLICATE_TITLE })
const waitForLanding = ({ page }: ChatPage) => page.waitForURL((url) => url.pathname === '/')

describe('a user with two connections', () => {
  journey(
    '[ACC-24] [ACC-25] is asked in the newer tab; confirming sends both to the landing page, where one click enters again',
    async ({ desktop, visitors }) => {
      const older = await (await desktop()).openRoomAsGuest('İkiz')
      const newer = new ChatPage(await older.page.context().newPage())
      visitors.push(newer)
      await newer.page.goto('/room/1')
      await expectBlockingOverlay(newer, DUPLICATE_TITLE)
      await newer.page.getByText('Devam edersen oradaki oturum kapanır').waitFor()
      expect(await duplicateDialog(older.page).count()).toBe(0)

      await newer.page.getByRole('button', { name: 'Devam Et' }).click()
      await Promise.all([waitForLanding(older), waitForLanding(newer)])
      await older.page.getByRole('alert').getByText('Oturumun başka bir yerde devam ediyor.').waitFor()
      await newer.page.getByRole('link', { name: 'İkiz olarak devam et' }).click()
      await newer.waitForRoom()
      expect(await duplicateDialog(newer.page).count()).toBe(0)
    },
  )

  journey(
    "[ACC-130] [ACC-131] 'Burada kullan' comes straight back to the room, and 'Vazgeç' leaves the older tab alone",
    async ({ desktop, visitors }) => {
      const older = await (await desktop()).openRoomAsGuest('Geçen')
      const newer = new ChatPage(await older.page.context().newPage())
      visitors.push(newer)
      await newer.page.goto('/room/3')
      await duplicateDialog(newer.page).waitFor()
      await newer.page.getByRole('button', { name: 'Vazgeç' }).click()
      await waitForLanding(newer)
      await older.sendMessage('hâlâ buradayım')
      await older.waitForMessage('Hâlâ buradayım')

      await newer.page.goto('/room/3')
      await duplicateDialog(newer.page).waitFor()
      await newer.page.getByRole('button', { name: 'Burada kullan' }).click()
      await waitForLanding(older)
      await older.page.getByRole('alert').getByText('Oturumun başka bir yerde devam ediyor.').waitFor()
      await newer.page.getByRole('heading', { name: '#Müzik' }).waitFor()
      await newer.waitForRoom()
      await newer.sendMessage('Artık burada')
      await newer.waitForMessage('Artık burada')
      expect([new URL(newer.page.url()).pathname, await duplicateDialog(newer.page).count()]).toEqual(['/room/3', 0])
      expect(await newer.page.evaluate(() => localStorage.getItem('username'))).toBe('Geçen')
    },
  )

  journey(
    '[ACC-23] [ACC-24] stays one user in a duplicated tab, and continues there when the other closes',
    async ({ desktop, visitors }) => {
      const older = await (await desktop()).enterAsGuest('Kopya')
      const opened = older.page.context().waitForEvent('page')
      // A tab that a page opens starts with a copy of its session storage, as a duplicated one does.
      await older.page.evaluate(() => void window.open('/room/1'))
      const newer = new ChatPage(await opened)
      visitors.push(newer)
      await duplicateDialog(newer.page).waitFor()
      expect(older.page.url()).toMatch(/\/room\/1$/)

      await older.page.close()
      await duplicateDialog(newer.page).waitFor({ state: 'hidden' })
      await newer.sendMessage('tek başıma')
      await newer.waitForMessage('Tek başıma')
    },
  )

  journey('[ACC-23] stays the same user after a reload', async ({ desktop }) => {
    const visitor = await (await desktop()).openRoomAsGuest('Yenilenen')
    await visitor.page.reload()
    await visitor.waitForRoom()
    await visitor.sendMessage('yine ben')
    await visitor.waitForMessage('Yine ben')
    expect(await duplicateDialog(visitor.page).count()).toBe(0)
    await visitor.waitForUsers('Yenilenen')
  })

  journey(
    '[ACC-24] [ACC-25] [LIVE-37] is asked in another browser too, by keyboard alone',
    async ({ site, desktop, phone }) => {
      const password = await site.createRootAdmin('Üye')
      const atDesk = await (await desktop()).openRoomAs('Üye', password)
      const onPhone = await (await phone()).openRoomAs('Üye', password)
      await expectBlockingOverlay(onPhone, DUPLICATE_TITLE)
      await atDesk.sendMessage('Masadayım')
      await atDesk.waitForMessage('Masadayım')

      for (const name of ['Burada kullan', 'Vazgeç'])
        expect(await onPhone.page.getByRole('button', { name, exact: true }).isVisible()).toBe(true)
      await onPhone.page.getByRole('button', { name: 'Devam Et' }).focus()
      await onPhone.page.keyboard.press('Enter')
      await Promise.all([waitForLanding(atDesk), waitForLanding(onPhone)])
      await onPhone.page.getByRole('link', { name: 'Üye olarak devam et' }).click()
      await onPhone.waitForRoom()
      await onPhone.sendMessage('Telefondayım')
      await onPhone.waitForMessage('Telefondayım')
      expect(await duplicateDialog(onPhone.page).count()).toBe(0)
    },
  )

  journey(
    '[ACC-24] [ACC-25] is asked although the older tab is frozen, which is on the landing page when it thaws',
    async ({ desktop, visitors }) => {
      const older = await (await desktop()).openRoomAsGuest('Donmuş')
      const browser = await older.page.context().newCDPSession(older.page)
      await browser.send('Page.setWebLifecycleState', { state: 'frozen' })
      const newer = new ChatPage(await older.page.context().newPage())
      visitors.push(newer)
      await newer.page.goto('/room/1')
      await duplicateDialog(newer.page).waitFor()
      await newer.page.getByRole('button', { name: 'Devam Et' }).click()
      await waitForLanding(newer)
      await browser.send('Page.setWebLifecycleState', { state: 'active' })
      await waitForLanding(older)
    },
  )

  journey(
    '[ACC-24] continues without a question when the older one does not answer within a second; late answers change nothing',
    async ({ site, desktop }) => {
      const newer = await (await desktop()).openRoomAs('Dilsiz', await site.createRootAdmin('Dilsiz'))
      const token = await newer.page.evaluate(() => localStorage.getItem('token') ?? '')
      await newer.page.goto('/')
      const { connection: older } = await LiveConnection.open(site.origin, token)
      expectAnswer(await older.request('joinRoom', { roomId: 1 }))
      // It receives nothing, not even the question.
      older.socket.pause()
      await newer.page.goto('/room/1')
      await newer.waitForRoom()
      const since = Date.now()
      await newer.sendMessage('Yeniyim')
      await newer.waitForMessage('Yeniyim')
      await expect.poll(() => Date.now() - since).toBeGreaterThan(DUPLICATE_ANSWER_TIMEOUT_MS)
      older.socket.resume()
      // On a slow machine the site may have closed it already.
      await Promise.race([older.waitFor(() => older.receivedEvents('message').length > 0), older.closed])
      await newer.sendMessage('Buradayım')
      await newer.waitForMessage('Buradayım')
      expect(await duplicateDialog(newer.page).count()).toBe(0)
      older.socket.close()
    },
  )
})
