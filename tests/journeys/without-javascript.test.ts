import { describe, expect } from 'vitest'
import { journey } from './journey.ts'

const NO_JAVASCRIPT = { javaScriptEnabled: false }

describe('without JavaScript', () => {
  journey('[ACC-22] a guest enters and reads messages', { tags: 'deep' }, async ({ speaker, phone }) => {
    await (await speaker('Anlatan')).sendMessage('bir varmış bir yokmuş')

    const guest = await phone(NO_JAVASCRIPT)
    const { page } = guest
    await page.goto('/')
    await page.getByRole('heading', { name: 'Herkes meydanda.' }).waitFor()
    await guest.nameField.fill('Yalın')
    await guest.nameField.press('Enter')
    await page.waitForURL('/room/1')
    expect(await page.getByText('Bir varmış bir yokmuş').isVisible()).toBe(true)
  })

  journey(
    '[ACC-22] [ACC-06] a refused form comes back with its reason and the typed name',
    { tags: 'deep' },
    async ({ desktop }) => {
      const guest = await desktop(NO_JAVASCRIPT)
      const { page } = guest
      guest.errors.allow(/status of 40[19] .*(?:guest-)?login/)
      await page.goto('/')
      await page.getByText('Üye misin?').click()
      await page.getByLabel('Kullanıcı adı').fill('Olmayan')
      await page.getByLabel('Şifre').fill('yanlış-parola')
      await page.getByRole('button', { name: 'Giriş yap' }).click()
      await page.getByText('Giriş başarısız. Lütfen tekrar deneyin.').waitFor()
      expect(await page.getByLabel('Kullanıcı adı').inputValue()).toBe('Olmayan')
      expect(await page.getByLabel('Şifre').inputValue()).toBe('')

      await page.goto('/')
      await guest.nameField.fill('moderatör')
      await guest.nameField.press('Enter')
      await page.getByText('Bu kullanıcı adı kullanılamaz.').waitFor()
      expect(await guest.nameField.inputValue()).toBe('moderatör')
    },
  )

  journey(
    "[ACC-21] [SHARE-11] [SHARE-21] a stranger's page of a room lets them in by a name, also after a refused one",
    async ({ speaker, phone }) => {
      await speaker('Bekleyen', { roomId: 2 })
      const guest = await phone(NO_JAVASCRIPT)
      const { page } = guest
      await page.goto('/room/2')
      expect(new URL(page.url()).pathname).toBe('/room/2')
      await page.getByText('Bekleyen').waitFor()
      guest.errors.allow(/status of 409 .*guest-login/)
      await guest.nameField.fill('moderatör')
      await guest.nameField.press('Enter')
      await page.getByText('Bu kullanıcı adı kullanılamaz.').waitFor()
      await page.getByText('Bekleyen').waitFor()
      expect(await guest.nameField.inputValue()).toBe('moderatör')
      await guest.nameField.fill('Soran')
      await guest.nameField.press('Enter')
      await guest.composer.waitFor()
      expect(new URL(page.url()).pathname).toBe('/room/2')
    },
  )
})
