import type { Locator } from 'playwright-core'
import { describe, expect } from 'vitest'
import { MEMBER_PASSWORD } from '../drivers/live-connection.ts'
import { createTestPhoto } from '../fixtures/test-photo.ts'
import type { ChatPage } from './chat-page.ts'
import { journey } from './journey.ts'
import { tabTo, waitForFocus } from './keyboard-focus.ts'

async function openEditor(visitor: ChatPage): Promise<Locator> {
  if (!(await visitor.sideMenuEntry('Profili Güncelle').isVisible())) await visitor.openSideMenu()
  await visitor.sideMenuEntry('Profili Güncelle').click()
  const editor = visitor.page.getByRole('dialog', { name: 'Bilgilerimi Güncelle' })
  await editor.getByLabel('Hakkımda').waitFor()
  return editor
}

const save = (editor: Locator) => editor.getByRole('button', { name: 'Kaydet' }).click()
const waitForSaved = ({ page }: ChatPage) => page.getByText('Profil güncellendi.').first().waitFor()
/** Width and colours of 'Engelle' of a profile and of the button beside it. */
const looksOfBlocking = (profile: Locator) =>
  Promise.all(
    ['Engelle', 'Kullanıcı adını kopyala'].map((name) =>
      profile.getByRole('button', { name, exact: true }).evaluate((button) => {
        const { width, color, backgroundColor, borderColor } = getComputedStyle(button)
        return { width, color, backgroundColor, borderColor }
      }),
    ),
  )

/** The loaded avatar beside a user's messages. */
const loadedAvatarsOf = ({ messageLog }: ChatPage) => messageLog.locator('.avatar-picture[data-loaded=true]')
const imageSrc = (image: Locator) => image.first().evaluate((element) => (element as HTMLImageElement).src)

describe('an open profile', () => {
  journey(
    '[PROF-44] [PROF-48] [PROF-50] [SHELL-37] [SHELL-131] has an address, stays beside the chat, and covers a phone',
    async ({ site, desktop, phone, speaker }) => {
      const other = await speaker('Komşu')
      const visitor = await (await desktop()).openRoomAsGuest('Bakan')
      const { page } = visitor
      await other.sendMessage('@Bakan kapı çaldı')
      await visitor.waitForMessage('@Bakan kapı çaldı')
      const profile = page.getByRole('dialog', { name: 'Profil' })
      await visitor.messageLog.locator('[data-person="Komşu"]').first().click()
      await profile.getByRole('heading', { name: 'Komşu' }).waitFor()
      const address = `${site.origin}/room/1?profil=Kom%C5%9Fu`
      await page.waitForURL(address)
      expect((await profile.boundingBox())?.width).toBe(384)
      const [block, copy] = await looksOfBlocking(profile)
      expect(block).toEqual(copy)
      await visitor.sendMessage('Profil açıkken yazıyorum')
      await other.waitForMessage('Profil açıkken yazıyorum')
      await page.goBack()
      await profile.waitFor({ state: 'hidden' })
      expect(page.url()).toBe(`${site.origin}/room/1`)
      await page.goForward()
      await profile.getByRole('heading', { name: 'Komşu' }).waitFor()
      // The button of the list below it uncovers the list.
      await page
        .getByRole('button', { name: /Odadaki kullanıcılar/ })
        .filter({ visible: true })
        .click()
      await profile.waitFor({ state: 'hidden' })
      await page.locator('.person', { hasText: 'Komşu' }).click()
      await profile.getByRole('heading', { name: 'Komşu' }).waitFor()
      await visitor.messageLog.locator('[data-person="Bakan"]').first().click()
      await page.getByRole('heading', { name: 'Profilim' }).waitFor()
      await profile.waitFor({ state: 'hidden' })

      await page.goto(address)
      await profile.getByRole('heading', { name: 'Komşu' }).waitFor()
      await profile.getByRole('button', { name: 'Geri' }).click()
      await page.waitForURL(`${site.origin}/room/1`)
      await profile.waitFor({ state: 'hidden' })

      const newcomer = await phone()
      await newcomer.page.goto(address)
      await newcomer.nameField.fill('Davetli')
      await newcomer.page.getByRole('button', { name: 'Odaya gir' }).click()
      const covering = newcomer.page.getByRole('dialog', { name: 'Profil' })
      await covering.getByRole('heading', { name: 'Komşu' }).waitFor()
      await newcomer.page.goto(`${site.origin}/room/1?profil=Bakan`)
      await covering.getByRole('heading', { name: 'Bakan' }).waitFor()
      const { width, height } = newcomer.page.viewportSize() ?? expect.unreachable('a phone has a viewport')
      await expect.poll(() => covering.boundingBox()).toEqual({ x: 0, y: 0, width, height })
      const [blockOnPhone, copyOnPhone] = await looksOfBlocking(covering)
      expect(blockOnPhone).toEqual(copyOnPhone)
      await covering.getByRole('button', { name: 'Engelle', exact: true }).click()
      const above = newcomer.page.getByRole('dialog', { name: /engelle/i })
      await above.waitFor()
      await newcomer.page.goBack()
      await above.waitFor({ state: 'hidden' })
      expect(await covering.isVisible()).toBe(true)
      await newcomer.page.goBack()
      await covering.waitFor({ state: 'hidden' })
    },
  )
})

describe('the profile editor', () => {
  journey(
    '[PROF-10] [PROF-12] [PROF-15] shows a new avatar and bio to others in lists, messages and an open profile',
    async ({ desktop, phone }) => {
      const member = await (await desktop()).enterAsMember('Yüzlü')
      const observer = await (await phone()).openRoomAsGuest('Seyirci')
      await member.sendMessage('Ben geldim')
      await observer.waitForMessage('Ben geldim')
      await observer.messageLog.locator('[data-person="Yüzlü"]').first().click()
      const profile = observer.page.getByRole('dialog', { name: 'Profil' })
      await profile.getByText(/çevrimiçi/i).waitFor()

      const editor = await openEditor(member)
      await editor.getByLabel('Konum').fill('Karşıyaka')
      await editor.getByLabel('Yaş').fill('44')
      await editor.getByLabel('Hakkımda').fill('<b>Merhaba</b> https://meydan.example/ben')
      await editor.getByLabel('Fotoğraf seç').setInputFiles(await createTestPhoto())
      await editor.getByRole('button', { name: 'Fotoğrafı kullan' }).click()
      await editor.getByAltText('Yeni fotoğrafın').waitFor()
      await save(editor)
      await waitForSaved(member)
      await editor.waitFor({ state: 'hidden' })

      await profile.getByText('44 yaşında').waitFor()
      await profile.getByText('Karşıyaka').waitFor()
      expect(await profile.locator('.profile-bio-text').textContent()).toBe('<b>Merhaba</b> https://meydan.example/ben')
      const link = profile.getByRole('link', { name: 'https://meydan.example/ben' })
      expect(await link.getAttribute('rel')).toContain('noopener')
      await profile.locator('.avatar-picture[data-loaded=true]').waitFor()
      await observer.page.keyboard.press('Escape')
      await loadedAvatarsOf(observer).first().waitFor()
      const firstSrc = await imageSrc(loadedAvatarsOf(observer))
      expect(firstSrc).toMatch(/\/uploads\/[0-9a-f]{64}\.webp$/)

      const secondEditor = await openEditor(member)
      await secondEditor.getByLabel('Fotoğraf seç').setInputFiles(await createTestPhoto('#2f7d5b'))
      await secondEditor.getByRole('button', { name: 'Fotoğrafı kullan' }).click()
      await save(secondEditor)
      await expect.poll(() => imageSrc(loadedAvatarsOf(observer))).not.toBe(firstSrc)

      const thirdEditor = await openEditor(member)
      await thirdEditor.getByRole('button', { name: 'Kaldır' }).click()
      await save(thirdEditor)
      await loadedAvatarsOf(observer).first().waitFor({ state: 'detached' })
    },
  )

  journey('[PROF-15] crops an avatar to a square by keyboard alone', { tags: 'deep' }, async ({ desktop }) => {
    const visitor = await (await desktop()).enterAsMember('Klavyeli')
    const { page } = visitor
    const editor = await openEditor(visitor)
    await editor.getByLabel('Fotoğraf seç').setInputFiles(await createTestPhoto())
    await editor.getByRole('slider', { name: 'Yakınlaştır' }).waitFor()
    const media = editor.locator('.reactEasyCrop_Image')
    const readTransform = () => media.evaluate((element) => getComputedStyle(element).transform)
    await expect.poll(() => editor.getByRole('application').evaluate((element) => element.matches(':focus'))).toBe(true)
    const startTransform = await readTransform()
    await page.keyboard.press('ArrowRight')
    await expect.poll(readTransform).not.toBe(startTransform)
    await tabTo(page, 'Yakınlaştır')
    const movedTransform = await readTransform()
    for (let press = 0; press < 20; press++) await page.keyboard.press('ArrowRight')
    await expect.poll(readTransform).not.toBe(movedTransform)
    // Esc discards the new avatar and keeps the editor open.
    await page.keyboard.press('Escape')
    await editor.getByLabel('Hakkımda').waitFor()
    expect(await editor.getByAltText('Yeni fotoğrafın').count()).toBe(0)
    await editor.getByLabel('Fotoğraf seç').setInputFiles(await createTestPhoto())
    await tabTo(page, 'Fotoğrafı kullan')
    await page.keyboard.press('Enter')
    const preview = editor.getByAltText('Yeni fotoğrafın')
    await preview.waitFor()
    const size = () =>
      preview.evaluate((image) => [(image as HTMLImageElement).naturalWidth, (image as HTMLImageElement).naturalHeight])
    await expect.poll(size).toEqual([640, 640])
    await waitForFocus(page, 'Fotoğraf seç')
  })

  journey(
    '[PROF-15] takes an avatar dropped on the dialog, and refuses other files',
    { tags: 'deep' },
    async ({ desktop }) => {
      const visitor = await (await desktop()).enterAsMember('Bırakan')
      const editor = await openEditor(visitor)
      const drop = async (type: string, bytes: Buffer) => {
        const data = await visitor.page.evaluateHandle(
          ({ type: mime, base64 }) => {
            const transfer = new DataTransfer()
            const content = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0))
            transfer.items.add(new File([content], 'ben', { type: mime }))
            return transfer
          },
          { type, base64: bytes.toString('base64') },
        )
        await editor.locator('form').dispatchEvent('drop', { dataTransfer: data })
      }
      for (const type of ['image/svg+xml', 'text/html', 'image/png']) {
        await drop(type, Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'))
        await editor.getByText(/^Bu dosya açılamadı\./).waitFor()
      }
      await drop('image/jpeg', (await createTestPhoto()).buffer)
      await editor.getByRole('slider', { name: 'Yakınlaştır' }).waitFor()
    },
  )

  journey('[PROF-14] shows errors, keeps typed text, and asks before it discards changes', async ({ desktop }) => {
    const visitor = await (await desktop()).enterAsMember('Sabırlı')
    const { page } = visitor
    visitor.errors.allow(/status of 403|Failed to load resource/)
    const editor = await openEditor(visitor)
    await editor.getByLabel('Hakkımda').fill('Uzun uzun yazdım')
    await editor.getByLabel('Yaş').fill('17')
    await save(editor)
    await editor.getByText('Yaşınız uygun değil!').waitFor()
    await waitForFocus(page, 'Yaş')
    await editor.getByLabel('Yaş').fill('18')
    await editor.getByText('Şifreni değiştir', { exact: true }).click()
    await editor.getByLabel('Mevcut şifre').fill('bir tahmin')
    await editor.getByLabel('Yeni şifre', { exact: true }).fill('yepyeni bir şifre')
    await save(editor)
    await editor.getByText('Şifreleriniz eşleşmiyor!').waitFor()
    await editor.getByLabel('Yeni şifre (tekrar)').fill('yepyeni bir şifre')
    await save(editor)
    await editor.getByText('Mevcut şifren yanlış.').waitFor()
    await page.getByText('Profil güncellenemedi!').first().waitFor()
    expect(await editor.getByLabel('Hakkımda').inputValue()).toBe('Uzun uzun yazdım')

    await page.route('**/api/users/profile', (route) => route.abort(), { times: 1 })
    await editor.getByLabel('Mevcut şifre').fill('')
    for (const label of ['Yeni şifre', 'Yeni şifre (tekrar)']) await editor.getByLabel(label, { exact: true }).fill('')
    await save(editor)
    await editor.getByText('Sunucuya ulaşılamadı.').waitFor()
    expect(await editor.getByLabel('Hakkımda').inputValue()).toBe('Uzun uzun yazdım')

    await page.keyboard.press('Escape')
    await editor.getByText('Kaydetmediğin değişiklikler var.').waitFor()
    await waitForFocus(page, 'Düzenlemeye dön')
    await page.keyboard.press('Enter')
    await save(editor)
    await waitForSaved(visitor)
    await editor.waitFor({ state: 'hidden' })
    const reopenedEditor = await openEditor(visitor)
    expect(await reopenedEditor.getByLabel('Hakkımda').inputValue()).toBe('Uzun uzun yazdım')
    await page.keyboard.press('Escape')
    await reopenedEditor.waitFor({ state: 'hidden' })
  })

  journey(
    '[PROF-08] ends other sessions when the password changes, and keeps this one',
    { tags: 'deep' },
    async ({ desktop, phone }) => {
      const here = await (await desktop()).enterAsMember('Değiştiren')
      const there = await (await phone()).openRoomAs('Değiştiren', MEMBER_PASSWORD)
      there.errors.allow(/status of 401/)
      const editor = await openEditor(here)
      await editor.getByText('Şifreni değiştir', { exact: true }).click()
      await editor.getByLabel('Mevcut şifre').fill(MEMBER_PASSWORD)
      for (const label of ['Yeni şifre', 'Yeni şifre (tekrar)']) {
        await editor.getByLabel(label, { exact: true }).fill('yepyeni bir şifre')
      }
      await save(editor)
      await waitForSaved(here)
      await there.page.waitForURL((url) => url.pathname === '/')
      await there.page.getByText('Şifren değiştirildi. Lütfen yeni şifrenle tekrar giriş yap.').waitFor()
      await here.sendMessage('Buradayım')
      await here.waitForMessage('Buradayım')
      await there.signIn('Değiştiren', 'yepyeni bir şifre')
    },
  )
})
