import { describe, expect } from 'vitest'
import { journey } from './journey.ts'

describe('a guest on a phone', () => {
  journey('[SHELL-38] enters, opens panels, chats, moves on, and leaves', async ({ speaker, phone }) => {
    const host = await speaker('Evsahibi', { role: 'rootAdmin' })
    await host.sendMessage('kimler gelmiş?')

    const guest = await phone()
    const { page } = guest
    await page.goto('/')
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(390)
    await guest.nameField.fill('Yolcu')
    await page.getByText('Bu ad boşta').waitFor()
    await page.getByText('Kadın').tap()
    await page.getByRole('button', { name: 'Meydana gir' }).tap()
    await guest.waitForRoom()
    expect(new URL(page.url()).pathname).toBe('/room/1')
    await guest.waitForMessage('Kimler gelmiş?')

    await page.getByRole('button', { name: /Odadaki kullanıcılar, 2 kişi/ }).tap()
    const sheet = page.getByRole('dialog', { name: /Odadakiler/ })
    await sheet.getByText('Evsahibi').waitFor()
    await sheet.getByText('Yolcu').waitFor()
    await page.goBack()
    await sheet.waitFor({ state: 'detached' })
    expect(new URL(page.url()).pathname).toBe('/room/1')

    await guest.sendMessage('geldim!')
    await host.waitForMessage('Geldim!')
    await host.sendMessage('hoş geldin, bu akşam burası epey kalabalık')
    await guest.waitForMessage('Hoş geldin, bu akşam burası epey kalabalık')
    // As a focused control outside the screen would scroll it.
    const scrollSideways = (log: HTMLElement | SVGElement): number => {
      log.scrollLeft = 100
      return log.scrollLeft
    }
    expect(await guest.messageLog.evaluate(scrollSideways)).toBe(0)

    await page.getByRole('button', { name: 'Odalar' }).tap()
    await page.getByRole('dialog', { name: 'Odalar' }).getByRole('link', { name: /Müzik/ }).tap()
    await page.getByRole('heading', { name: '#Müzik' }).waitFor()
    expect(await guest.messageTexts()).toEqual([])
    const listedUsers = async () => (await host.request('getRoomUsers', { roomId: 1 })).users
    await expect.poll(listedUsers).toMatchObject([{ username: 'Evsahibi' }])

    await guest.logOut()
    expect(new URL(page.url()).pathname).toBe('/')
  })

  journey(
    '[ACC-08] reads why a name is refused, and keeps the typed text',
    { tags: 'deep' },
    async ({ speaker, phone }) => {
      await speaker('Aynıad')
      const guest = await phone()
      guest.errors.allow(/status of 409 .*guest-login/)
      const { page } = guest
      await page.goto('/')
      await guest.nameField.fill('aynıAD')
      await page.getByText('Bu kullanıcı adı alınmış. Lütfen başka bir ad seç.').waitFor()
      await guest.nameField.press('Enter')
      // The page of the refused form, which shows the path of the landing page instead of the form's.
      const openedUrl = () => page.evaluate(() => performance.getEntriesByType('navigation')[0]?.name)
      await expect.poll(openedUrl).toMatch(/guest-login/)
      await page.getByText('Bu kullanıcı adı alınmış. Lütfen başka bir ad seç.').waitFor()
      expect(await guest.nameField.inputValue()).toBe('aynıAD')
    },
  )

  journey('[ACC-20] [ROOM-02] finds name, theme and last room as they were', { tags: 'deep' }, async ({ phone }) => {
    const guest = await (await phone()).enterAsGuest('Unutmaz')
    const { page } = guest
    await guest.chooseTheme('Açık')
    await page.locator('html[data-theme=light]').waitFor()
    await page.goto('/room/3')
    await page.getByRole('heading', { name: '#Müzik' }).waitFor()
    const readStorage = () => page.evaluate(() => ({ ...localStorage }))
    // The heading is there before the page's code has run.
    const known = { username: 'Unutmaz', theme: 'light', lastRoomId: '3', token: expect.any(String) }
    await expect.poll(readStorage).toMatchObject(known)
    const { browserId, ...others } = await readStorage()
    expect(others).not.toHaveProperty('adminToken')

    await page.goto('/')
    expect(await page.locator('html').getAttribute('data-theme')).toBe('light')
    await page.getByRole('link', { name: 'Unutmaz olarak devam et' }).tap()
    await page.getByRole('heading', { name: '#Müzik' }).waitFor()
    expect((await readStorage()).browserId).toBe(browserId)
  })
})
