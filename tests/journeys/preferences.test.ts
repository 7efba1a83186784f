import { decode } from '@msgpack/msgpack'
import type { Page } from 'playwright-core'
import { describe, expect } from 'vitest'
import { encode, Kind } from '../../src/shared/protocol/frame.ts'
import { refusals } from '../../src/shared/protocol/refusals.ts'
import type { ChatPage } from './chat-page.ts'
import { journey } from './journey.ts'
import { tabTo, waitForFocus } from './keyboard-focus.ts'

const PRIVACY_CHANGED_TEXT = 'Gizlilik ayarları güncellendi.'

const preferencesDialog = ({ page }: ChatPage) => page.getByRole('dialog', { name: 'Tercihlerim' })
const privacySelect = (visitor: ChatPage, name: string) => preferencesDialog(visitor).getByRole('combobox', { name })

async function openPreferences(visitor: ChatPage): Promise<void> {
  await visitor.openSideMenu()
  await visitor.sideMenuEntry('Tercihlerim').click()
  await privacySelect(visitor, 'Mesaj yazma').waitFor()
}

/** The chosen value of each setting, top to bottom. */
function selectedValues(visitor: ChatPage): Promise<string[]> {
  const shown = preferencesDialog(visitor).locator('select, input:checked + span')
  return shown.evaluateAll((all) =>
    all.map((one) => (one instanceof HTMLSelectElement ? one.selectedOptions[0]?.label : one.textContent) ?? ''),
  )
}

const readToken = (page: Page) => page.evaluate(() => localStorage.getItem('token'))

/** Answers each privacy change with a refusal; it never reaches the server. */
async function refusePrivacy({ page }: ChatPage): Promise<void> {
  await page.context().routeWebSocket(/\/live$/, (socket) => {
    const server = socket.connectToServer()
    socket.onMessage((frame) => {
      if (!frame.includes('updatePrivacySettings')) return server.send(frame)
      const [, id] = decode(Buffer.from(frame)) as [number, number]
      const { message } = refusals.Busy
      socket.send(Buffer.from(encode([Kind.refusal, id, { code: 'Busy', message }])))
    })
  })
}

describe('preferences', () => {
  journey("[SET-01] [SET-06] stores a guest's choices over the live connection alone", async ({ desktop }) => {
    const guest = await (await desktop()).openRoomAsGuest('Seçici')
    const { page } = guest
    const puts: string[] = []
    page.on('request', (request) => request.method() !== 'GET' && puts.push(request.url()))
    await openPreferences(guest)
    const defaults = [
      'Koyu',
      'Sesli',
      'Herkes',
      'Takipçilerim',
      'Takipçilerim',
      'Herkes',
      'Takipçilerim',
      'Herkese açık',
    ]
    expect(await selectedValues(guest)).toEqual(defaults)
    const firstToken = await readToken(page)
    // Tokens count in whole seconds: a new one differs only after the next second.
    await page.waitForFunction((at) => Date.now() >= at, (Math.floor(Date.now() / 1_000) + 1) * 1_000)
    await privacySelect(guest, 'Mesaj yazma').selectOption('Hiç kimse')
    await page.getByRole('status').getByText(PRIVACY_CHANGED_TEXT).waitFor()
    expect(await readToken(page)).not.toBe(firstToken)
    await privacySelect(guest, 'Sesli arama').selectOption('Takip ettiklerim')
    await preferencesDialog(guest).getByText('Gizli', { exact: true }).click()
    const changed = [
      'Koyu',
      'Sesli',
      'Hiç kimse',
      'Takipçilerim',
      'Takipçilerim',
      'Takip ettiklerim',
      'Takipçilerim',
      'Gizli',
    ]
    expect(await selectedValues(guest)).toEqual(changed)
    expect(puts).toEqual([])

    const fetchAccount = async () => {
      const authorization = `Bearer ${await readToken(page)}`
      const answer = await page.request.get('/api/users/account', { headers: { authorization } })
      return (await answer.json()).user
    }
    await expect.poll(fetchAccount).toMatchObject({
      messagePrivacy: 'nobody',
      voiceCallPrivacy: 'following',
      accountPrivacy: 'private',
    })
    await page.reload()
    await guest.waitForRoom()
    await openPreferences(guest)
    expect(await selectedValues(guest)).toEqual(changed)
  })

  journey("[SET-06] stores a member's choices over PUT /api/users/profile", { tags: 'deep' }, async ({ desktop }) => {
    const member = await (await desktop()).enterAsMember('Üyece')
    const puts: unknown[] = []
    member.page.on('request', (request) => request.method() === 'PUT' && puts.push(request.postDataJSON()))
    await openPreferences(member)
    await privacySelect(member, 'Görüntülü arama').selectOption('Hiç kimse')
    await privacySelect(member, 'Görüntülü arama').selectOption('Herkes')
    await expect.poll(() => puts).toEqual([{ videoCallPrivacy: 'nobody' }, { videoCallPrivacy: 'everyone' }])
    await member.page.getByRole('status').getByText(PRIVACY_CHANGED_TEXT).waitFor()
    await member.page.reload()
    await member.waitForRoom()
    await openPreferences(member)
    expect((await selectedValues(member))[6]).toBe('Herkes')
  })

  journey("[SET-07] restores a member's setting when the request fails", async ({ desktop }) => {
    const member = await (await desktop()).enterAsMember('Kesik')
    member.errors.allow(/Failed to load resource/)
    await member.page.route('**/api/users/profile', (route) => route.abort())
    await openPreferences(member)
    await preferencesDialog(member).getByText('Gizli', { exact: true }).click()
    await member.page.getByText('Gizlilik ayarları güncellenemedi!').waitFor()
    await expect.poll(() => selectedValues(member)).toContain('Herkese açık')
  })

  journey(
    "[SET-07] restores a guest's setting and shows the reason when the server refuses it",
    { tags: 'deep' },
    async ({ phone }) => {
      const guest = await phone()
      await refusePrivacy(guest)
      await guest.openRoomAsGuest('Talihsiz')
      await openPreferences(guest)
      await privacySelect(guest, 'Mesaj yazma').selectOption('Hiç kimse')
      await guest.page.getByText(`Gizlilik ayarları güncellenemedi! ${refusals.Busy.message}`).waitFor()
      await expect.poll(() => selectedValues(guest)).toContain('Herkes')
      expect(await selectedValues(guest)).not.toContain('Hiç kimse')
    },
  )

  journey(
    '[SET-05] changes the theme by keyboard at once and for every page',
    { tags: 'deep' },
    async ({ desktop }) => {
      const guest = await (await desktop()).openRoomAsGuest('Klavyeli')
      const { page } = guest
      const themeOfDocument = async () =>
        /data-theme="(\w+)"/.exec(await (await page.request.get('/room/1')).text())?.[1]
      expect(await themeOfDocument()).toBe('dark')
      await tabTo(page, 'Profilim')
      await page.keyboard.press('Enter')
      await guest.sideMenuEntry('Tercihlerim').waitFor()
      await tabTo(page, 'Tercihlerim')
      await page.keyboard.press('Enter')
      await preferencesDialog(guest).waitFor()
      await tabTo(page, 'Koyu')
      await page.keyboard.press('ArrowRight')
      await page.locator('html[data-theme=light]').waitFor()
      expect(await page.evaluate(() => localStorage.getItem('theme'))).toBe('light')
      expect(await themeOfDocument()).toBe('light')
      await page.keyboard.press('Escape')
      await preferencesDialog(guest).waitFor({ state: 'hidden' })
      await waitForFocus(page, 'Tercihlerim')
      await page.reload()
      expect(await page.locator('html').getAttribute('data-theme')).toBe('light')
    },
  )

  journey("[SET-09] 'Sistem' follows the operating system without a reload", { tags: 'deep' }, async ({ phone }) => {
    const guest = await phone({ colorScheme: 'light' })
    const { page } = await guest.openRoomAsGuest('Uyumlu')
    const pageColor = () => page.locator('html').evaluate((html) => getComputedStyle(html).backgroundColor)
    const themeColor = () =>
      page.evaluate(() => {
        const metas = [...document.querySelectorAll<HTMLMetaElement>('meta[name="theme-color"]')]
        return metas.find(({ media }) => matchMedia(media).matches)?.content
      })
    const [dark, darkColor] = [await pageColor(), await themeColor()]
    await guest.chooseTheme('Sistem')
    await page.locator('html[data-theme=system]').waitFor()
    const light = await pageColor()
    expect(light).not.toBe(dark)
    expect(await themeColor()).not.toBe(darkColor)
    await page.emulateMedia({ colorScheme: 'dark' })
    await expect.poll(pageColor).toBe(dark)
    expect(await themeColor()).toBe(darkColor)
    await page.reload()
    expect(await page.locator('html').getAttribute('data-theme')).toBe('system')
    await page.emulateMedia({ colorScheme: 'light' })
    await expect.poll(pageColor).toBe(light)
    // Dark on white on paper, also from a dark screen.
    await page.emulateMedia({ colorScheme: 'dark', media: 'print' })
    expect(await pageColor()).toBe('rgb(255, 255, 255)')
  })
})
