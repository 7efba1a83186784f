import type { Locator } from 'playwright-core'
import { describe, expect } from 'vitest'
import { portrait } from '../portrait.ts'
import { openSignUp } from '../sign-up-screens.ts'
import { makeRootAdmin } from '../site.ts'
import { cutLine, isHeldBy, named } from './connection.ts'
import { journey } from './journey.ts'
import { MEMBER_PASSWORD, Visitor } from './visitor.ts'

const NEXT_PASSWORD = 'beş balık yüzdü'

const dialog = ({ page }: Visitor, name: string) => page.getByRole('dialog', { name, exact: true })
const rowOf = ({ page }: Visitor, name: string) =>
  page.getByRole('list', { name: 'Kullanıcı listesi' }).getByRole('button', { name })
const face = (within: Locator) => within.locator('.avatar-picture[data-loaded=true]').first()
const pathOf = ({ page }: Visitor) => new URL(page.url()).pathname
const isHome = ({ page }: Visitor) => page.waitForURL((url) => url.pathname === '/')

/** Follows the link of a room that somebody shared, and enters as a guest. */
async function follow(visitor: Visitor, path: string, username: string): Promise<Visitor> {
  await visitor.page.goto(path)
  await visitor.nameField.fill(username)
  await visitor.nameField.press('Enter')
  return visitor.isInRoom()
}

/** Opens something of the side menu. */
async function open(visitor: Visitor, entry: string, title = entry): Promise<Locator> {
  if (!(await visitor.sideMenuEntry(entry).isVisible())) await visitor.openSideMenu()
  await visitor.sideMenuEntry(entry).click()
  const window = dialog(visitor, title)
  await window.waitFor()
  return window
}

/** Opens what the list of people shows of somebody; the panel of oneself may lie in its place. */
async function lookAt(visitor: Visitor, name: string): Promise<Locator> {
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

/** What the site says of whoever has this browser. */
function account({ page }: Visitor): Promise<{ id: number; isGuest: boolean; role: string }> {
  return page.evaluate(async () => {
    const headers = { authorization: `Bearer ${localStorage.getItem('token')}` }
    const answer = await fetch('/api/users/account', { headers })
    return (await answer.json()).user
  })
}

async function signUp(visitor: Visitor): Promise<void> {
  await openSignUp(visitor)
  const form = dialog(visitor, 'Üye Ol')
  await form.getByLabel('Şifren').fill(MEMBER_PASSWORD)
  await form.getByLabel('Yaşın').fill('27')
  await form.getByRole('button', { name: /Kullanım Sözleşmesi/ }).click()
  await dialog(visitor, 'Kullanım Sözleşmesi').getByRole('button', { name: 'Okudum, onaylıyorum' }).click()
  await form.getByRole('button', { name: 'Üye Ol', exact: true }).click()
  await form.waitFor({ state: 'hidden' })
}

async function changePassword(visitor: Visitor): Promise<void> {
  const editor = await open(visitor, 'Profili Güncelle', 'Bilgilerimi Güncelle')
  await editor.getByText('Şifreni değiştir', { exact: true }).click()
  await editor.getByLabel('Mevcut şifre').fill(MEMBER_PASSWORD)
  await editor.getByLabel('Yeni şifre', { exact: true }).fill(NEXT_PASSWORD)
  await editor.getByLabel('Yeni şifre (tekrar)').fill(NEXT_PASSWORD)
  await editor.getByRole('button', { name: 'Kaydet' }).click()
  await editor.waitFor({ state: 'hidden' })
}

/** Opens the menu of somebody's profile, chooses in it and says yes. */
async function decideOn(visitor: Visitor, name: string, entry: string): Promise<void> {
  const profile = await lookAt(visitor, name)
  await profile.getByRole('button', { name: 'Diğer işlemler' }).click()
  await visitor.page.getByRole('menuitem', { name: entry }).click()
  await dialog(visitor, entry).getByRole('button', { name: entry }).click()
  await dialog(visitor, entry).waitFor({ state: 'hidden' })
  await visitor.page.keyboard.press('Escape')
  await profile.waitFor({ state: 'hidden' })
}

describe('the life of a member', () => {
  journey(
    '[ACC-40] [ACC-32] [PROF-12] [SET-06] [REL-17] begins by a shared link: guest, member, a face, choices, a block',
    async ({ desktop }) => {
      const [name, other] = [named('Defne'), named('Komşu')]
      const onlooker = await follow(await desktop(), '/room/3', other)
      const newcomer = await desktop()
      let lines = 0
      newcomer.page.on('websocket', (socket) => socket.url().endsWith('/live') && lines++)
      // Who has just come waits before they may write: both at once.
      await Promise.all([onlooker.say('Burada kimse var mı?'), follow(newcomer, '/room/3', name)])
      expect(pathOf(newcomer)).toBe('/room/3')
      await newcomer.say('Bir bağlantıyla geldim')
      await onlooker.reads('Bir bağlantıyla geldim')
      await rowOf(onlooker, name).getByText('Misafir').waitFor()
      const { id } = await account(newcomer)
      await newcomer.page.evaluate(() => Object.assign(window, { isSamePage: true }))

      await signUp(newcomer)
      await newcomer.page.getByText('Kayıt ve giriş başarılı!').waitFor()
      await rowOf(onlooker, name).getByText('Member').waitFor()
      expect(await account(newcomer)).toMatchObject({ id, isGuest: false, role: 'member' })
      expect([pathOf(newcomer), lines]).toEqual(['/room/3', 1])
      expect(await newcomer.page.evaluate(() => 'isSamePage' in window)).toBe(true)
      await newcomer.reads('Bir bağlantıyla geldim')

      const profile = await lookAt(onlooker, name)
      const editor = await open(newcomer, 'Profili Güncelle', 'Bilgilerimi Güncelle')
      await editor.getByLabel('Konum').fill('Karşıyaka')
      await editor.getByLabel('Yaş').fill('28')
      await editor.getByLabel('Hakkımda').fill('Gündüz mimar, gece plak toplayıcısı')
      await editor.getByLabel('Fotoğraf seç').setInputFiles(await portrait())
      await editor.getByRole('button', { name: 'Fotoğrafı kullan' }).click()
      await editor.getByRole('button', { name: 'Kaydet' }).click()
      await editor.waitFor({ state: 'hidden' })
      for (const said of ['Karşıyaka', '28 yaşında', 'Gündüz mimar, gece plak toplayıcısı']) {
        await profile.getByText(said, { exact: true }).waitFor()
      }
      await face(profile).waitFor()
      await onlooker.page.keyboard.press('Escape')
      await face(rowOf(onlooker, name)).waitFor()
      await face(onlooker.log).waitFor()

      const preferences = await open(newcomer, 'Tercihlerim')
      await preferences.getByText('Açık', { exact: true }).click()
      await preferences.getByRole('combobox', { name: 'Mesaj yazma' }).selectOption('Hiç kimse')
      await newcomer.page.getByText('Gizlilik ayarları güncellendi.').waitFor()
      await newcomer.page.reload()
      await newcomer.isInRoom()
      expect(await newcomer.page.locator('html').getAttribute('data-theme')).toBe('light')
      const kept = (await open(newcomer, 'Tercihlerim')).getByRole('combobox', { name: 'Mesaj yazma' })
      await expect.poll(() => kept.evaluate((select) => (select as HTMLSelectElement).value)).toBe('nobody')
      await newcomer.page.keyboard.press('Escape')

      const blocked = await lookAt(newcomer, other)
      await blocked.getByRole('button', { name: 'Engelle', exact: true }).click()
      await dialog(newcomer, 'Engelle').getByRole('button', { name: 'Engelle', exact: true }).click()
      await newcomer.bubble('Burada kimse var mı?').waitFor({ state: 'detached' })
      await newcomer.page.keyboard.press('Escape')
      await blocked.waitFor({ state: 'hidden' })
      await newcomer.openMenu()
      await newcomer.page.getByRole('menuitem', { name: 'Engellenen Kullanıcılar' }).click()
      const list = dialog(newcomer, 'Engellenen Kullanıcılar')
      await list.getByRole('button', { name: `Engeli Kaldır: ${other}` }).click()
      await list.getByText('Henüz engellenmiş kullanıcı yok').waitFor()
      await list.getByRole('button', { name: 'Geri' }).click()
      await newcomer.reads('Burada kimse var mı?')
    },
  )

  journey(
    '[ACC-56] [PROF-08] [ACC-60] [ACC-57] goes on over two devices, a new password, another role, and a log-out',
    async ({ site, desktop, phone, visitors }) => {
      const name = named('Defne')
      const atDesk = await (await desktop()).enterAsMember(name)
      await atDesk.page.goto('/room/3')
      await atDesk.isInRoom()
      const onPhone = await phone()
      for (const { errors } of [atDesk, onPhone]) errors.expect(cutLine)
      const signInThere = async (password: string) => {
        await onPhone.signIn(name, password)
        await isHeldBy(onPhone, 'Meydan başka bir yerde açık')
      }
      await signInThere(MEMBER_PASSWORD)
      const sessions = await open(atDesk, 'Oturumlarım')
      await expect.poll(() => sessions.getByRole('listitem').count()).toBe(2)
      await sessions.getByRole('button', { name: /^Oturumu kapat/ }).click()
      await isHome(onPhone)
      await onPhone.page.getByText('Bu oturum başka bir cihazınızdan kapatıldı.').waitFor()
      await sessions.getByText('Başka oturum yok.').waitFor()
      await atDesk.page.keyboard.press('Escape')

      await signInThere(MEMBER_PASSWORD)
      await changePassword(atDesk)
      await isHome(onPhone)
      await onPhone.page.getByText(/^Şifreniz değiştirildi\./).waitFor()
      onPhone.errors.expect(/status of 401/)
      await onPhone.page.getByText('Üye misin?').click()
      await onPhone.page.getByLabel('Kullanıcı adı').fill(name)
      await onPhone.page.getByLabel('Şifre').fill(MEMBER_PASSWORD)
      await onPhone.page.getByLabel('Şifre').press('Enter')
      await onPhone.page.getByText('Giriş başarısız.').waitFor()
      await signInThere(NEXT_PASSWORD)
      await onPhone.page.goto('about:blank')

      const rootName = named('Kurucu')
      const root = await (await desktop()).signIn(rootName, await makeRootAdmin(site, rootName))
      await root.page.goto('/room/3')
      await root.isInRoom()
      const entry = atDesk.sideMenuEntry('Tüm Kullanıcılar')
      expect(await entry.count()).toBe(0)
      await decideOn(root, name, 'Root Admin Yap')
      await entry.waitFor()
      await rowOf(root, name).getByText('Root Admin').waitFor()
      await decideOn(root, name, 'Root Adminlik Kaldır')
      await entry.waitFor({ state: 'detached' })
      await rowOf(root, name).getByText('Member').waitFor()

      const second = new Visitor(await atDesk.page.context().newPage())
      visitors.push(second)
      second.errors.expect(cutLine)
      await second.page.goto('/room/3')
      await isHeldBy(second, 'Meydan başka bir yerde açık')
      await atDesk.say('Hoşça kalın')
      await root.reads('Hoşça kalın')
      if (!(await entry.isVisible())) await atDesk.page.keyboard.press('Escape')
      await atDesk.sideMenuEntry('Çıkış Yap').click()
      await atDesk.nameField.waitFor()
      await isHome(second)
      for (const { page } of [atDesk, second]) {
        const left = () => page.evaluate(() => [...Object.keys(localStorage), ...Object.keys(sessionStorage)].sort())
        await expect.poll(left).toEqual(['browserId', 'lastRoomId', 'theme'])
      }
      await atDesk.page.goBack()
      await atDesk.nameField.waitFor()
      expect(await atDesk.page.getByText(name).count()).toBe(0)

      await atDesk.signIn(name, NEXT_PASSWORD)
      expect(await account(atDesk)).toMatchObject({ isGuest: false, role: 'member' })
      expect(pathOf(atDesk)).toBe('/room/3')
    },
  )
})
