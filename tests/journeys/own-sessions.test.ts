import { describe, expect } from 'vitest'
import { MEMBER_PASSWORD } from '../drivers/live-connection.ts'
import { type Site, updateSiteDatabase } from '../drivers/site.ts'
import { ChatPage } from './chat-page.ts'
import { CONNECTION_ERRORS, expectBlockingOverlay } from './connection-fixtures.ts'
import { journey } from './journey.ts'

const waitForLanding = ({ page }: ChatPage) => page.waitForURL((url) => url.pathname === '/')

/** Signs a member in without a browser; resolves with the cookies. */
async function signInElsewhere({ origin }: Site, username: string): Promise<string> {
  const headers = { 'content-type': 'application/json', origin }
  const body = JSON.stringify({ username, password: MEMBER_PASSWORD })
  const answer = await fetch(`${origin}/api/users/login`, { method: 'POST', headers, body })
  return answer.headers
    .getSetCookie()
    .map((cookie) => cookie.split(';')[0])
    .join('; ')
}

/** Whether the room's page asks a browser with these cookies for a name. */
async function isAskedForName({ origin }: Site, cookie: string): Promise<boolean> {
  const answer = await fetch(`${origin}/room/1`, { headers: { cookie } })
  return (await answer.text()).includes('Adını yaz, odaya gir')
}

async function openSessions(visitor: ChatPage) {
  await visitor.openSideMenu()
  await visitor.sideMenuEntry('Oturumlarım').click()
  const window = visitor.page.getByRole('dialog', { name: 'Oturumlarım' })
  await window.getByText('Bu oturum', { exact: true }).waitFor()
  return window
}

/** The keys in the browser's local and session storage. */
const storedKeys = ({ page }: ChatPage) =>
  page.evaluate(() => [...Object.keys(localStorage), ...Object.keys(sessionStorage)].sort())

describe('the list of own sessions', () => {
  journey(
    '[ACC-56] [ACC-54] ends another session: its browser goes to the landing page and shows the reason',
    { tags: 'deep' },
    async ({ desktop, phone }) => {
      const onDesktop = await (await desktop()).enterAsMember('Sahip')
      const onPhone = await (await phone()).openRoomAs('Sahip', MEMBER_PASSWORD)
      for (const { errors } of [onDesktop, onPhone]) errors.allow(CONNECTION_ERRORS)
      await expectBlockingOverlay(onPhone, 'Meydan başka bir yerde açık')

      const window = await openSessions(onDesktop)
      const rows = window.getByRole('listitem')
      expect(await rows.count()).toBe(2)
      await rows.nth(0).getByText('Bu oturum', { exact: true }).waitFor()
      await rows.nth(1).getByText('Şu anda bağlı').waitFor()
      await rows
        .nth(1)
        .getByRole('button', { name: /^Oturumu kapat/ })
        .click()

      await waitForLanding(onPhone)
      await onPhone.page.getByRole('alert').getByText('Bu oturum başka bir cihazından kapatıldı.').waitFor()
      expect(await onPhone.page.getByText('olarak devam et').count()).toBe(0)
      await window.getByText('Başka oturum yok.').waitFor()
      expect(await rows.count()).toBe(1)
      await onDesktop.page.keyboard.press('Escape')
      await onDesktop.sendMessage('Buradayım')
      await onDesktop.waitForMessage('Buradayım')
    },
  )

  journey(
    '[ACC-56] ends all other sessions after a confirmation; a guest has no such list',
    { tags: 'deep' },
    async ({ site, desktop }) => {
      const own = await (await desktop()).enterAsMember('Düzenli')
      const others = [await signInElsewhere(site, 'Düzenli'), await signInElsewhere(site, 'Düzenli')]
      for (const cookie of others) expect(await isAskedForName(site, cookie)).toBe(false)

      const window = await openSessions(own)
      expect(await window.getByRole('listitem').count()).toBe(3)
      await window.getByRole('button', { name: 'Diğer tüm oturumları kapat' }).click()
      await window.getByText('Diğer 2 oturum hemen kapatılsın mı?').waitFor()
      // The dialog focuses its cancel button, so Enter cancels.
      await own.page.keyboard.press('Enter')
      await window.getByRole('button', { name: 'Diğer tüm oturumları kapat' }).click()
      await window.getByRole('button', { name: 'Hepsini kapat' }).click()
      await own.page.getByText('2 oturum kapatıldı.').waitFor()
      await window.getByText('Başka oturum yok.').waitFor()
      for (const cookie of others) expect(await isAskedForName(site, cookie)).toBe(true)

      const guest = await (await desktop()).openRoomAsGuest('Konuk')
      await guest.openSideMenu()
      expect(await guest.sideMenuEntry('Oturumlarım').count()).toBe(0)
    },
  )

  journey('[ACC-56] removes two rows when two sessions are ended at the same time', async ({ site, desktop }) => {
    const own = await (await desktop()).enterAsMember('Aceleci')
    for (const _ of [1, 2]) await signInElsewhere(site, 'Aceleci')
    const pendingRequests: (() => Promise<void>)[] = []
    await own.page
      .context()
      .route('**/api/users/sessions/end', (route) => void pendingRequests.push(() => route.continue()))
    const window = await openSessions(own)
    const endButtons = window.getByRole('button', { name: /^Oturumu kapat/ })
    await endButtons.nth(0).click()
    await endButtons.nth(1).click()
    await expect.poll(() => pendingRequests.length).toBe(2)
    for (const [index, send] of pendingRequests.entries()) {
      await send()
      await expect.poll(() => window.getByRole('listitem').count()).toBe(2 - index)
    }
    await window.getByText('Başka oturum yok.').waitFor()
  })

  journey('[ACC-56] offers another try when sessions cannot be loaded', { tags: 'deep' }, async ({ desktop }) => {
    const visitor = await (await desktop()).enterAsMember('Sabırlı')
    visitor.errors.allow(/status of 503/)
    let isBroken = true
    await visitor.page
      .context()
      .route('**/api/users/sessions', (route) =>
        isBroken
          ? route.fulfill({ status: 503, json: { success: false, code: 'Busy', message: '' } })
          : route.continue(),
      )
    await visitor.openSideMenu()
    await visitor.sideMenuEntry('Oturumlarım').click()
    const window = visitor.page.getByRole('dialog', { name: 'Oturumlarım' })
    await window.getByRole('alert').getByText('Oturumlar yüklenemedi.').waitFor()
    isBroken = false
    await window.getByRole('button', { name: 'Tekrar dene' }).click()
    await window.getByText('Bu oturum', { exact: true }).waitFor()
  })
})

describe('logging out', () => {
  journey(
    '[ACC-57] [ACC-13] ends every tab, clears storage, and no back button or stolen token signs in again',
    { tags: 'deep' },
    async ({ site, desktop, visitors }) => {
      const visitor = await (await desktop()).enterAsMember('Çıkan')
      const second = new ChatPage(await visitor.page.context().newPage())
      visitors.push(second)
      await second.page.goto('/room/2')
      await expectBlockingOverlay(second, 'Meydan başka bir yerde açık')
      for (const { errors } of [visitor, second]) errors.allow(CONNECTION_ERRORS)
      await visitor.composer.fill('kimse görmesin')
      const token = await visitor.page.evaluate(() => localStorage.getItem('token'))

      await visitor.logOut()
      await waitForLanding(second)
      await second.nameField.waitFor()
      for (const each of [visitor, second]) {
        expect(await storedKeys(each)).toEqual(['browserId', 'lastRoomId', 'theme'])
        expect(await each.page.getByText('olarak devam et').count()).toBe(0)
      }
      await visitor.page.goBack()
      await visitor.nameField.waitFor()
      expect(await visitor.composer.count()).toBe(0)
      const answer = await fetch(`${site.origin}/api/users/account`, { headers: { authorization: `Bearer ${token}` } })
      expect(answer.status).toBe(401)

      // The next guest in this tab starts with an empty composer.
      await visitor.enterAsGuest('Sonraki')
      expect(await visitor.composer.inputValue()).toBe('')
    },
  )
})

describe('root admin rights', () => {
  journey(
    "[ACC-60] are given and revoked by a root admin while the member's page stays open",
    { tags: 'deep' },
    async ({ site, desktop, speaker }) => {
      const root = await (await desktop()).openRoomAs('Kurucu', await site.createRootAdmin('Kurucu'))
      const member = await (await desktop()).enterAsMember('Terfi')
      // A change of role replaces the session's tokens; a request on its way has the old one.
      member.errors.allow(/status of 401/)
      const bystander = await speaker('Seyirci')
      await member.openSideMenu()
      expect(await member.sideMenuEntry('Tüm Kullanıcılar').count()).toBe(0)

      const confirmMenuEntry = async (entry: string) => {
        await root.page.locator('.person-username', { hasText: 'Terfi' }).click()
        await root.page.getByRole('button', { name: 'Diğer işlemler' }).click()
        await root.page.getByRole('menuitem', { name: entry }).click()
        await root.page.getByRole('dialog', { name: entry }).getByRole('button', { name: entry }).click()
      }
      await confirmMenuEntry('Root Admin Yap')
      await root.page.getByText('Terfi artık root admin.').waitFor()
      await member.sideMenuEntry('Tüm Kullanıcılar').waitFor()
      await member.sideMenuEntry('Tüm Kullanıcılar').click()
      const question = member.page.getByRole('dialog', { name: 'Şifreni doğrula' })
      await question.getByLabel('Şifre', { exact: true }).fill(MEMBER_PASSWORD)
      await question.getByRole('button', { name: 'Doğrula' }).click()
      await member.page.getByRole('complementary').getByText('Kurucu').waitFor()
      await member.openContextMenu()
      await member.page.getByRole('menuitem', { name: 'Moderasyon' }).click()
      const bans = member.page.getByRole('dialog', { name: 'Moderasyon' })
      await bans.getByRole('button', { name: 'Yasaklar', exact: true }).click()
      await bans.getByText('Yasaklı kullanıcı yok.').waitFor()

      // Else Escape closes the question instead of the profile.
      await root.page.getByRole('dialog', { name: 'Root Admin Yap' }).waitFor({ state: 'hidden' })
      await root.page.keyboard.press('Escape')
      await confirmMenuEntry('Root Adminlik Kaldır')
      await root.page.getByText('Terfi artık root admin değil.').waitFor()
      await bans.waitFor({ state: 'hidden' })
      expect(await member.page.evaluate(() => localStorage.getItem('adminToken'))).toBeNull()
      await member.page.getByText('Sistemdeki tüm kullanıcıları sadece yetkililer görebilir.').waitFor()
      await member.openContextMenu()
      expect(await member.page.getByRole('menuitem').allTextContents()).not.toContain('Moderasyon')
      // The member stays signed in, and the bystander gets no admin token.
      await member.waitForRoom()
      const { connection } = bystander
      await connection.waitFor(() => connection.receivedEvents('userProfileUpdated').at(-1)?.user.role === 'member')
      expect(connection.receivedEvents('sessionReplaced')).toEqual([])
      expect(JSON.stringify(connection.events)).not.toContain('adminToken')
    },
  )

  journey(
    '[ACC-60] cannot be given to a banned user, and the reason is shown',
    { tags: 'deep' },
    async ({ site, desktop, speaker }) => {
      await speaker('Gidici', { role: 'member' })
      const root = await (await desktop()).openRoomAs('Kurucu', await site.createRootAdmin('Kurucu'))
      await root.page.locator('.person-username', { hasText: 'Gidici' }).click()
      await root.page.getByRole('button', { name: 'Diğer işlemler' }).click()
      await root.page.getByRole('menuitem', { name: 'Root Admin Yap' }).click()
      root.errors.allow(/status of 403/)
      // Another root admin bans the member meanwhile.
      updateSiteDatabase(
        site,
        `insert into restriction (kind, userId, reason, duration, imposedById, at) select 'siteBan', id, 'Diğer', 'indefinite', id, 0 from user where username = 'Gidici'`,
      )
      const dialog = root.page.getByRole('dialog', { name: 'Root Admin Yap' })
      await dialog.getByRole('button', { name: 'Root Admin Yap' }).click()
      await root.page.getByText('Kullanıcı root admin yapılamadı. Yasaklı bir kullanıcıya yetki verilemez.').waitFor()
      await dialog.waitFor()
    },
  )
})
