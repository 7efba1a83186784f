import { describe, expect } from 'vitest'
import { openSignUp } from '../screens/sign-up-screens.ts'
import type { ChatPage } from './chat-page.ts'
import { journey } from './journey.ts'

const password = 'dört kuş uçtu'

/** Opens the terms and accepts them. */
async function acceptTerms({ page }: ChatPage): Promise<void> {
  await page.getByRole('button', { name: /^Kullanım Sözleşmesi/ }).click()
  const terms = page.getByRole('dialog', { name: 'Kullanım Sözleşmesi' })
  await terms.getByRole('button', { name: 'Okudum, onaylıyorum' }).click()
  await page.getByText('Gizlilik Sözleşmesini onayladınız!').waitFor()
}

describe('signing up in a room', () => {
  journey(
    '[ACC-41] [ACC-42] makes a guest on a phone a member, in the same room and on the same connection',
    { tags: 'deep' },
    async ({ phone, speaker }) => {
      const host = await speaker('Gören', { role: 'rootAdmin' })
      const guest = await (await phone()).enterAsGuest('Gonca')
      const { page } = guest
      let webSocketCount = 0
      page.on('websocket', () => webSocketCount++)
      const idOf = async () =>
        Number(await page.evaluate(() => JSON.parse(atob(localStorage.getItem('token')?.split('.')[1] ?? '')).sub))
      const id = await idOf()
      await guest.sendMessage('Misafirken yazdım')
      await host.waitForMessage('Misafirken yazdım')

      await openSignUp(guest)
      const dialog = page.getByRole('dialog', { name: 'Üye Ol' })
      await dialog.getByLabel('Kullanıcı adın').fill('Gül')
      await dialog.getByLabel('Şifren').fill(password)
      await dialog.getByLabel('Yaşın').fill('33')
      await acceptTerms(guest)
      await dialog.getByRole('button', { name: 'Üye Ol' }).click()
      await page.getByText('Kayıt ve giriş başarılı!').waitFor()
      await dialog.waitFor({ state: 'detached' })

      // On a phone the side menu is an open sheet, which now shows a member's entries.
      await page.getByRole('button', { name: 'Üye Ol', exact: true }).waitFor({ state: 'detached' })
      expect([await idOf(), await page.evaluate(() => localStorage.getItem('username'))]).toEqual([id, 'Gül'])
      await page.keyboard.press('Escape')
      await guest.waitForMessage('Misafirken yazdım')
      await guest.sendMessage('Şimdi üyeyim')
      await host.waitForMessage('Şimdi üyeyim')
      // Clients show an updated user's name in the earlier messages too (CHAT-41).
      await host.connection.waitFor(() =>
        host.connection.receivedEvents('userUpdated').some(({ user }) => user.id === id && user.username === 'Gül'),
      )
      const senders = host.connection.receivedEvents('message').map((one) => [one.senderId, one.senderUsername])
      expect(senders).toEqual([
        [id, 'Gonca'],
        [id, 'Gül'],
      ])
      const { users } = await host.request('getRoomUsers', { roomId: 1 })
      expect(users.map(({ username }) => username)).toEqual(['Gören', 'Gül'])
      await host.sendMessage('@Gül hoş geldin')
      await page.locator('[data-self=true]', { hasText: '@Gül' }).waitFor()
      expect([new URL(page.url()).pathname, webSocketCount]).toEqual(['/room/1', 0])

      await page.reload()
      await guest.waitForRoom()
      await guest.waitForMessage('Şimdi üyeyim')
    },
  )
})

describe('the sign-up dialog', () => {
  journey(
    '[ACC-42] [ACC-43] [ACC-70] [ACC-142] shows an error for each field, and requires the terms',
    async ({ desktop, speaker }) => {
      const guest = await (await desktop()).openRoomAsGuest('Begonya')
      await speaker('Sahibi')
      const { page } = guest
      await openSignUp(guest)
      const dialog = page.getByRole('dialog', { name: 'Üye Ol' })
      const submit = dialog.getByRole('button', { name: 'Üye Ol' })
      const name = dialog.getByLabel('Kullanıcı adın')
      expect(await name.inputValue()).toBe('Begonya')
      expect(await submit.getAttribute('aria-disabled')).toBe('true')
      for (const [typed, errorText] of [
        ['SAHİBİ', 'Bu kullanıcı adı alınmış.'],
        ['<b>x</b>', 'Kullanıcı adı harf ya da rakamla başlamalı'],
        ['begonYA', 'Bu ad boşta, senin olabilir.'],
      ] as const) {
        await name.fill(typed)
        await dialog.getByText(errorText).waitFor()
      }
      await dialog.getByLabel('Şifren').fill('kısa')
      await dialog.getByLabel('Yaşın').fill('17')
      await dialog.getByLabel('Yaşın').press('Enter')
      for (const errorText of [
        'Şifre en az 8 karakter olmalıdır.',
        'Yaşınız uygun değil!',
        'Gizlilik Sözleşmesini onaylamadan kayıt olamazsınız.',
      ]) {
        await dialog.locator('.field-error', { hasText: errorText }).waitFor()
      }
      expect(await dialog.getByLabel('Şifren').evaluate((field) => field === document.activeElement)).toBe(true)
      expect(await page.locator('.toast', { hasText: 'Şifre en az' }).count()).toBe(0)

      // By keyboard: the terms open above the dialog, Esc closes them, and the focus returns.
      const row = dialog.getByRole('button', { name: /^Kullanım Sözleşmesi/ })
      await row.press('Enter')
      await page.getByRole('dialog', { name: 'Kullanım Sözleşmesi' }).waitFor()
      await page.keyboard.press('Escape')
      await page.getByRole('dialog', { name: 'Kullanım Sözleşmesi' }).waitFor({ state: 'detached' })
      expect(await row.evaluate((button) => button === document.activeElement)).toBe(true)
      expect(await submit.getAttribute('aria-disabled')).toBe('true')
      await acceptTerms(guest)
      expect(await submit.getAttribute('aria-disabled')).toBe('false')

      await dialog.getByRole('button', { name: 'Şifreyi göster' }).click()
      expect(await dialog.getByLabel('Şifren').getAttribute('type')).toBe('text')
      await dialog.getByLabel('Şifren').fill(password)
      // An error stays until its own field is valid.
      const fieldErrors = dialog.locator('.field-error', { hasText: /\S/ })
      await expect.poll(() => fieldErrors.allTextContents()).toEqual(['Yaşınız uygun değil!'])
      await dialog.getByLabel('Yaşın').fill('18')
      await expect.poll(() => fieldErrors.count()).toBe(0)
      guest.errors.allow(/status of 409 .*register|status of 500|Failed to load resource/)
      await page.route('**/api/users/register', (route) => route.abort(), { times: 1 })
      await submit.click()
      const bothSay = async (text: string) => {
        for (const place of ['.toast', '.field-error:visible']) await page.locator(place, { hasText: text }).waitFor()
      }
      await bothSay('Kayıt başarısız. Lütfen tekrar deneyin.')
      // A refused name stands at its field until it is edited.
      await name.fill('SAHİBİ')
      await submit.click()
      await bothSay('Bu kullanıcı adı alınmış.')
      expect(await name.evaluate((field) => field === document.activeElement)).toBe(true)
      await name.fill('begonYA')
      await expect.poll(() => fieldErrors.count()).toBe(0)
      await submit.click()
      await page.getByText('Kayıt ve giriş başarılı!').waitFor()
    },
  )
})

describe('signing up on the landing page', () => {
  for (const javaScriptEnabled of [true, false]) {
    const withOrWithout = javaScriptEnabled ? 'with' : 'without'
    journey(
      `[ACC-39] [ACC-40] [ACC-67] [ACC-141] works ${withOrWithout} JavaScript and leads to the requested room`,
      async ({ phone }) => {
        const visitor = await phone({ javaScriptEnabled })
        const { page } = visitor
        visitor.errors.allow(/status of 409 .*register/)
        await page.goto('/room/3')
        await page.getByRole('link', { name: 'Üye Ol' }).click()
        const username = `Zinnia${withOrWithout}`
        const fill = async (name: string): Promise<void> => {
          await page.getByLabel('Kullanıcı adın').fill(name)
          await page.getByLabel('Şifren').fill(password)
          await page.getByLabel('Yaşın').fill('45')
          await page.getByText('Kullanım Sözleşmesini oku', { exact: true }).click()
          await page.getByRole('heading', { name: 'Gizliliğin' }).waitFor()
          await page.getByRole('checkbox').check()
          await page.getByRole('button', { name: 'Üye Ol' }).click()
        }
        await fill('moderatör')
        const name = page.getByLabel('Kullanıcı adın')
        await page.locator('.field-error', { hasText: 'Bu kullanıcı adı kullanılamaz.' }).waitFor()
        expect(await name.getAttribute('aria-invalid')).toBe('true')
        if (javaScriptEnabled) await page.locator('.toast', { hasText: 'Bu kullanıcı adı kullanılamaz.' }).waitFor()
        expect(await page.getByLabel('Şifren').inputValue()).toBe('')
        expect(await page.getByLabel('Yaşın').inputValue()).toBe('45')
        await fill(username)
        await page.waitForURL('/room/3', { waitUntil: 'commit' })
        if (javaScriptEnabled) await page.getByText('Kayıt ve giriş başarılı!').waitFor()
        await page.getByRole('heading', { name: '#Müzik' }).waitFor()

        await page.context().clearCookies()
        await page.goto('/room/2')
        await page.getByText('Üye misin?').click()
        await page.getByLabel('Kullanıcı adı').fill(username.toUpperCase())
        await page.getByLabel('Şifre').fill(password)
        await page.getByLabel('Şifre').press('Enter')
        await page.waitForURL('/room/2')
      },
    )
  }

  journey(
    '[ACC-40] never redirects to another site, neither for guests nor for new members',
    { tags: 'deep' },
    async ({ desktop }) => {
      const visitor = await desktop()
      const { page } = visitor
      let nameCount = 0
      const signInForms = [
        async (): Promise<void> => {
          await visitor.nameField.fill(`Kaçak${++nameCount}`)
          await visitor.nameField.press('Enter')
        },
        async (): Promise<void> => {
          await page.getByRole('link', { name: 'Üye Ol' }).click()
          await page.getByLabel('Kullanıcı adın').fill(`Kaçak${++nameCount}`)
          await page.getByLabel('Şifren').fill(password)
          await page.getByLabel('Yaşın').fill('45')
          await page.getByRole('checkbox').check()
          await page.getByRole('button', { name: 'Üye Ol' }).click()
        },
      ]
      for (const next of ['//evil.example', '/%5Cevil.example', 'javascript:alert(1)', 'https://evil.example/room/1'])
        for (const enter of signInForms) {
          await page.context().clearCookies()
          await page.goto(`/?next=${next}`)
          await enter()
          await page.waitForURL('/room/1')
        }
    },
  )
})
