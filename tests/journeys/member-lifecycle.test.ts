// @module-tag deep
import type { Locator } from 'playwright-core'
import { describe, expect } from 'vitest'
import { MEMBER_PASSWORD } from '../drivers/live-connection.ts'
import type { LiveUser } from '../drivers/live-user.ts'
import { createTestPhoto } from '../fixtures/test-photo.ts'
import { openSignUp } from '../screens/sign-up-screens.ts'
import { ChatPage } from './chat-page.ts'
import { CONNECTION_ERRORS, expectBlockingOverlay } from './connection-fixtures.ts'
import { movingJourney as journey } from './journey.ts'

const NEXT_PASSWORD = 'beş balık yüzdü'

const dialog = ({ page }: ChatPage, name: string) => page.getByRole('dialog', { name, exact: true })
const rowOf = ({ page }: ChatPage, name: string) =>
  page.getByRole('list', { name: 'Kullanıcı listesi' }).getByRole('button', { name })
const loadedAvatar = (within: Locator) => within.locator('.avatar-picture[data-loaded=true]').first()
const pathOf = ({ page }: ChatPage) => new URL(page.url()).pathname
const waitForLanding = ({ page }: ChatPage) => page.waitForURL((url) => url.pathname === '/')

/** Follows the link of a room that somebody shared, and enters as a guest. */
async function enterBySharedLink(visitor: ChatPage, path: string, username: string): Promise<ChatPage> {
  await visitor.page.goto(path)
  await visitor.nameField.fill(username)
  await visitor.nameField.press('Enter')
  return visitor.waitForRoom()
}

/** Opens something of the side menu. */
async function openSideMenuDialog(visitor: ChatPage, entry: string, title = entry): Promise<Locator> {
  if (!(await visitor.sideMenuEntry(entry).isVisible())) await visitor.openSideMenu()
  await visitor.sideMenuEntry(entry).click()
  const window = dialog(visitor, title)
  await window.waitFor()
  return window
}

/** Opens a user's profile from the user list, which the own panel may cover. */
async function openProfileFromList(visitor: ChatPage, name: string): Promise<Locator> {
  if (!(await rowOf(visitor, name).isVisible())) {
    await visitor.page.getByRole('button', { name: /^Odadaki kullanıcılar/ }).click()
  }
  await rowOf(visitor, name).click()
  const profile = dialog(visitor, 'Profil')
  await profile
    .getByText(/çevrimiçi|engelle/i)
    .first()
    .waitFor()
  return profile
}

/** The account of this browser's user. */
function fetchAccount({ page }: ChatPage): Promise<{ id: number; isGuest: boolean; role: string }> {
  return page.evaluate(async () => {
    const headers = { authorization: `Bearer ${localStorage.getItem('token')}` }
    const answer = await fetch('/api/users/account', { headers })
    return (await answer.json()).user
  })
}

async function signUp(visitor: ChatPage): Promise<void> {
  await openSignUp(visitor)
  const form = dialog(visitor, 'Üye Ol')
  await form.getByLabel('Şifren').fill(MEMBER_PASSWORD)
  await form.getByLabel('Yaşın').fill('27')
  await form.getByRole('button', { name: /Kullanım Sözleşmesi/ }).click()
  await dialog(visitor, 'Kullanım Sözleşmesi').getByRole('button', { name: 'Okudum, onaylıyorum' }).click()
  await form.getByRole('button', { name: 'Üye Ol', exact: true }).click()
  await form.waitFor({ state: 'hidden' })
}

async function changePassword(visitor: ChatPage): Promise<void> {
  const editor = await openSideMenuDialog(visitor, 'Profili Güncelle', 'Bilgilerimi Güncelle')
  await editor.getByText('Şifreni değiştir', { exact: true }).click()
  await editor.getByLabel('Mevcut şifre').fill(MEMBER_PASSWORD)
  await editor.getByLabel('Yeni şifre', { exact: true }).fill(NEXT_PASSWORD)
  await editor.getByLabel('Yeni şifre (tekrar)').fill(NEXT_PASSWORD)
  await editor.getByRole('button', { name: 'Kaydet' }).click()
  await editor.waitFor({ state: 'hidden' })
}

/** Changes the role of a member as a root admin, who receives the change. */
async function changeRole(root: LiveUser, username: string, way: 'promote' | 'demote'): Promise<void> {
  const { connection, signedIn } = root
  await root.fetch(`/api/root-admin/${way}-user-to-rootadmin`, { username }, signedIn.adminToken)
  const role = way === 'promote' ? 'rootadmin' : 'member'
  const latest = () => connection.receivedEvents('userUpdated').at(-1)?.user
  await connection.waitFor(() => latest()?.username === username && latest()?.role === role)
}

describe('the life of a member', () => {
  journey(
    '[ACC-40] [ACC-32] [PROF-12] [SET-06] [REL-17] starts by a shared link: guest, member, avatar, preferences, a block',
    async ({ desktop }) => {
      const [name, other] = ['Defne', 'Komşu']
      const observer = await (await desktop()).openRoomAsGuest(other, 3)
      await observer.sendMessage('Burada kimse var mı?')
      const newcomer = await desktop()
      let webSocketCount = 0
      newcomer.page.on('websocket', (socket) => socket.url().endsWith('/live') && webSocketCount++)
      await enterBySharedLink(newcomer, '/room/3', name)
      expect(pathOf(newcomer)).toBe('/room/3')
      await newcomer.sendMessage('Bir bağlantıyla geldim')
      await observer.waitForMessage('Bir bağlantıyla geldim')
      await rowOf(observer, name).getByText('Misafir').waitFor()
      const { id } = await fetchAccount(newcomer)
      await newcomer.page.evaluate(() => Object.assign(window, { isSamePage: true }))

      await signUp(newcomer)
      await newcomer.page.getByText('Kayıt ve giriş başarılı!').waitFor()
      await rowOf(observer, name).getByText('Member').waitFor()
      expect(await fetchAccount(newcomer)).toMatchObject({ id, isGuest: false, role: 'member' })
      expect([pathOf(newcomer), webSocketCount]).toEqual(['/room/3', 1])
      expect(await newcomer.page.evaluate(() => 'isSamePage' in window)).toBe(true)
      await newcomer.waitForMessage('Bir bağlantıyla geldim')

      const profile = await openProfileFromList(observer, name)
      const editor = await openSideMenuDialog(newcomer, 'Profili Güncelle', 'Bilgilerimi Güncelle')
      await editor.getByLabel('Konum').fill('Karşıyaka')
      await editor.getByLabel('Yaş').fill('28')
      await editor.getByLabel('Hakkımda').fill('Gündüz mimar, gece plak toplayıcısı')
      await editor.getByLabel('Fotoğraf seç').setInputFiles(await createTestPhoto())
      await editor.getByRole('button', { name: 'Fotoğrafı kullan' }).click()
      await editor.getByRole('button', { name: 'Kaydet' }).click()
      await editor.waitFor({ state: 'hidden' })
      for (const text of ['Karşıyaka', '28 yaşında', 'Gündüz mimar, gece plak toplayıcısı']) {
        await profile.getByText(text, { exact: true }).waitFor()
      }
      await loadedAvatar(profile).waitFor()
      await observer.page.keyboard.press('Escape')
      await loadedAvatar(rowOf(observer, name)).waitFor()
      await loadedAvatar(observer.messageLog).waitFor()

      const preferences = await openSideMenuDialog(newcomer, 'Tercihlerim')
      await preferences.getByText('Açık', { exact: true }).click()
      await preferences.getByRole('combobox', { name: 'Mesaj yazma' }).selectOption('Hiç kimse')
      await newcomer.page.getByText('Gizlilik ayarları güncellendi.').waitFor()
      await newcomer.page.reload()
      await newcomer.waitForRoom()
      expect(await newcomer.page.locator('html').getAttribute('data-theme')).toBe('light')
      const privacySetting = (await openSideMenuDialog(newcomer, 'Tercihlerim')).getByRole('combobox', {
        name: 'Mesaj yazma',
      })
      await expect.poll(() => privacySetting.evaluate((select) => (select as HTMLSelectElement).value)).toBe('nobody')
      await newcomer.page.keyboard.press('Escape')

      const blocked = await openProfileFromList(newcomer, other)
      await blocked.getByRole('button', { name: 'Engelle', exact: true }).click()
      const question = dialog(newcomer, 'Engelle')
      await question.getByRole('button', { name: 'Engelle', exact: true }).click()
      await question.waitFor({ state: 'hidden' })
      await newcomer.bubble('Burada kimse var mı?').waitFor({ state: 'detached' })
      await newcomer.page.keyboard.press('Escape')
      await blocked.waitFor({ state: 'hidden' })
      await newcomer.openContextMenu()
      await newcomer.page.getByRole('menuitem', { name: 'Engellenen Kullanıcılar' }).click()
      const list = dialog(newcomer, 'Engellenen Kullanıcılar')
      await list.getByRole('button', { name: `Engeli Kaldır: ${other}` }).click()
      await list.getByText('Henüz engellenmiş kullanıcı yok').waitFor()
      await list.getByRole('button', { name: 'Geri' }).click()
      await newcomer.waitForMessage('Burada kimse var mı?')
    },
  )

  journey(
    '[ACC-56] [PROF-08] [ACC-60] [ACC-57] goes on over two devices, a new password, another role, and a log-out',
    async ({ desktop, phone, speaker, visitors }) => {
      const name = 'Defne'
      const atDesk = await (await desktop()).enterAsMember(name)
      await atDesk.page.goto('/room/3')
      await atDesk.waitForRoom()
      const onPhone = await phone()
      for (const { errors } of [atDesk, onPhone]) errors.allow(CONNECTION_ERRORS)
      const signInThere = async (password: string) => {
        await onPhone.signIn(name, password)
        await expectBlockingOverlay(onPhone, 'Meydan başka bir yerde açık')
      }
      await signInThere(MEMBER_PASSWORD)
      const sessions = await openSideMenuDialog(atDesk, 'Oturumlarım')
      await expect.poll(() => sessions.getByRole('listitem').count()).toBe(2)
      await sessions.getByRole('button', { name: /^Oturumu kapat/ }).click()
      await waitForLanding(onPhone)
      await onPhone.page.getByText('Bu oturum başka bir cihazından kapatıldı.').waitFor()
      await sessions.getByText('Başka oturum yok.').waitFor()
      await atDesk.page.keyboard.press('Escape')

      await signInThere(MEMBER_PASSWORD)
      await changePassword(atDesk)
      await waitForLanding(onPhone)
      await onPhone.page.getByText(/^Şifren değiştirildi\./).waitFor()
      onPhone.errors.allow(/status of 401/)
      await onPhone.page.getByText('Üye misin?').click()
      await onPhone.page.getByLabel('Kullanıcı adı').fill(name)
      await onPhone.page.getByLabel('Şifre').fill(MEMBER_PASSWORD)
      await onPhone.page.getByLabel('Şifre').press('Enter')
      await onPhone.page.getByText('Giriş başarısız.').waitFor()
      await signInThere(NEXT_PASSWORD)
      await onPhone.page.goto('about:blank')

      const root = await speaker('Kurucu', { role: 'rootAdmin', roomId: 3 })
      const entry = atDesk.sideMenuEntry('Tüm Kullanıcılar')
      expect(await entry.count()).toBe(0)
      await changeRole(root, name, 'promote')
      await entry.waitFor()
      await changeRole(root, name, 'demote')
      await entry.waitFor({ state: 'detached' })

      const second = new ChatPage(await atDesk.page.context().newPage())
      visitors.push(second)
      second.errors.allow(CONNECTION_ERRORS)
      await second.page.goto('/room/3')
      await expectBlockingOverlay(second, 'Meydan başka bir yerde açık')
      await atDesk.sendMessage('Hoşça kalın')
      await root.waitForMessage('Hoşça kalın')
      if (!(await entry.isVisible())) await atDesk.page.keyboard.press('Escape')
      await atDesk.sideMenuEntry('Çıkış Yap').click()
      await atDesk.nameField.waitFor()
      await waitForLanding(second)
      for (const { page } of [atDesk, second]) {
        const left = () => page.evaluate(() => [...Object.keys(localStorage), ...Object.keys(sessionStorage)].sort())
        await expect.poll(left).toEqual(['browserId', 'lastRoomId', 'theme'])
      }
      await atDesk.page.goBack()
      await atDesk.nameField.waitFor()
      expect(await atDesk.page.locator('.person-viewer, .composer').count()).toBe(0)

      await atDesk.signIn(name, NEXT_PASSWORD)
      expect(await fetchAccount(atDesk)).toMatchObject({ isGuest: false, role: 'member' })
      expect(pathOf(atDesk)).toBe('/room/3')
    },
  )
})
