// @module-tag deep
import sharp from 'sharp'
import { expect } from 'vitest'
import { journey } from './journey.ts'

journey(
  '[SHARE-08] [SHARE-10] [SHARE-11] [SHARE-21] [ACC-140] a link to a room shows it in a preview and to a stranger, who enters with a name alone',
  async ({ site, phone, speaker }) => {
    const host = await speaker('Bekleyen', { roomId: 2 })
    const stranger = await phone()
    const { page } = stranger
    await page.goto('/room/2')
    await page.getByText('Şu anda 1 kişi içeride').waitFor()
    await page.getByText('Bekleyen').waitFor()
    expect(await page.locator('#guest-form input:not([type=hidden])').count()).toBe(1)

    const content = (name: string) => page.locator(`meta[property="${name}"]`).getAttribute('content')
    expect(await page.locator('link[rel=canonical]').getAttribute('href')).toBe(`${site.origin}/room/2`)
    expect(await content('og:url')).toBe(`${site.origin}/room/2`)
    const card = await page.request.get((await content('og:image')) ?? '')
    expect(await sharp(await card.body()).metadata()).toMatchObject({ format: 'jpeg', width: 1200, height: 630 })
    const icon = await page.request.get('/favicon.ico')
    expect([icon.status(), icon.headers()['content-type']]).toEqual([200, 'image/x-icon'])

    await page.getByRole('button', { name: 'Odaya gir' }).click()
    await page.getByText('Bir kullanıcı adı seç.').waitFor()
    stranger.errors.allow(/status of 409 .*guest-login/)
    await stranger.nameField.fill('moderatör')
    await page.getByText('Bu kullanıcı adı kullanılamaz.').waitFor() // said while typing
    await Promise.all([page.waitForEvent('load'), stranger.nameField.press('Enter')])
    await page.waitForURL('/room/2')
    await page.getByText('Şu anda 1 kişi içeride').waitFor()
    expect(await stranger.nameField.inputValue()).toBe('moderatör')
    expect(await stranger.nameField.getAttribute('aria-invalid')).toBe('true')

    await stranger.nameField.fill('Yabancı')
    await page.getByRole('button', { name: 'Odaya gir' }).click()
    await stranger.waitForRoom()
    expect(new URL(page.url()).pathname).toBe('/room/2')
    await stranger.sendMessage('Linkten geldim')
    await host.waitForMessage('Linkten geldim')
  },
)
