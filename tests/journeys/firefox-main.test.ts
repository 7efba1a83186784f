import { expect } from 'vitest'
import { MAX_MESSAGE_LENGTH } from '../../src/shared/room-chat/limits.ts'
import { signInAsGuest } from '../drivers/live-connection.ts'
import { insertMessages } from '../fixtures/insert-messages.ts'
import { createTestPhoto } from '../fixtures/test-photo.ts'
import { choosePostOption } from '../screens/post-screens.ts'
import { ChatPage } from './chat-page.ts'
import { waitForStatus } from './connection-fixtures.ts'
import { bubbleIn, composerOf, openFromProfile } from './direct-message-fixtures.ts'
import { describeInFirefox, say, type } from './firefox-fixtures.ts'
import { journey, processJourney } from './journey.ts'
import { collectTabStops, focusedName } from './keyboard-focus.ts'
import { findCutParts, findLonelyTimes } from './layout-faults.ts'
import { findSmallTargets, MIN_TARGET_PX } from './target-sizes.ts'
import { profileDialog, userRow } from './user-list-fixtures.ts'

const PASSWORD = 'dört kuş uçtu'
/** What Firefox says of a connection that was cut. */
const CUT = /establish a connection|interrupted while the page was loading|NetworkError|Cross-Origin Request Blocked/

describeInFirefox('the main journeys in Firefox', () => {
  journey(
    'a guest enters from the landing page, talks live, sees people and a profile, and holds a conversation with ticks',
    async ({ speaker, firefox }) => {
      const can = await firefox()
      await can.page.goto('/')
      await can.page.getByRole('button', { name: 'Meydana gir' }).click()
      await can.page.locator('#guest-form .field-error').getByText('Bir kullanıcı adı seç.').waitFor()
      await type(can.nameField, 'Can')
      await can.nameField.press('Enter')
      await can.waitForRoom()
      const ada = await speaker('Ada')
      await say(can.composer, 'Ateş tilkisinden selam')
      await ada.waitForMessage('Ateş tilkisinden selam')
      await ada.sendMessage('Hoş geldin')
      await can.waitForMessage('Hoş geldin')

      await userRow(can.page, 'Ada').first().click()
      await profileDialog(can.page).getByText('Ada').first().waitFor()
      await can.page.keyboard.press('Escape')

      const window = await openFromProfile(can, 'Ada')
      await say(composerOf(window), 'Özelden yazayım')
      await bubbleIn(window, 'Özelden yazayım', 'sent').waitFor()
      const received = () => ada.connection.receivedEvents('directMessage')
      await ada.connection.waitFor(() => received().some(({ content }) => content === 'Özelden yazayım'))
      await ada.request('markMessagesAsRead', { otherUsername: 'Can' })
      await bubbleIn(window, 'Özelden yazayım', 'read').waitFor()
    },
  )

  journey(
    'a member changes the theme, finds a message, and posts a photo',
    { tags: 'deep' },
    async ({ site, firefox }) => {
      const root = await (await firefox()).openRoomAs('Yetkin', await site.createRootAdmin('Yetkin'))
      const { page } = root
      await root.chooseTheme('Açık')
      await page.locator('html[data-theme=light]').waitFor()
      const pageColor = () => page.evaluate(() => getComputedStyle(document.documentElement).backgroundColor)
      const light = await pageColor()
      // The driver of Firefox cannot set the system's preference.
      const prefersLight = await page.evaluate(() => matchMedia('(prefers-color-scheme: light)').matches)
      await page.getByRole('dialog', { name: 'Tercihlerim' }).getByText('Sistem', { exact: true }).click()
      await page.locator('html[data-theme=system]').waitFor()
      expect((await pageColor()) === light).toBe(prefersLight)
      await page.keyboard.press('Escape')

      await say(root.composer, 'Samanda bir kalem')
      await root.waitForMessage('Samanda bir kalem')
      await page.getByRole('button', { name: 'Mesajlarda ara' }).focus()
      await page.keyboard.press('Enter')
      const field = page.getByRole('combobox', { name: 'Mesajlarda ara' })
      await type(field, 'kalem')
      const result = page.getByRole('option').filter({ hasText: 'Samanda bir' })
      // The message may be indexed only after the first search.
      const searchAgain = async () => {
        await field.press('Backspace')
        await type(field, 'm')
        return result.isVisible()
      }
      await expect.poll(searchAgain, { interval: 500 }).toBe(true)
      await page.keyboard.press('Escape')

      // The own panel is still open beside the room.
      await root.sideMenuEntry('Gönderilerim').click()
      await page.getByText('Henüz bir gönderin yok.').waitFor()
      await choosePostOption(root, 'Yeni Paylaşım')
      const form = page.getByRole('dialog', { name: 'Yeni Paylaşım' })
      await form.locator('input[data-post-file]').setInputFiles(await createTestPhoto())
      await type(form.getByRole('textbox'), 'Tilkinin resmi')
      await form.getByRole('button', { name: 'Paylaş', exact: true }).click()
      await form.waitFor({ state: 'detached' })
      const post = page.getByRole('article').filter({ hasText: 'Tilkinin resmi' })
      await post.locator('.media-picture[data-status=loaded]').waitFor()
    },
  )

  journey(
    'Back closes what is open and then asks, a mention leads to its message in another room, and a new tab takes over',
    { tags: 'deep' },
    async ({ speaker, firefox, visitors }) => {
      const writer = await speaker('Çağıran')
      const away = await (await firefox()).openRoomAsGuest('Zeki', 3)
      const { page } = away
      await page.getByRole('button', { name: 'Bildirimler' }).waitFor()
      const rooms = page.getByRole('dialog', { name: /^Tüm Odalar/ })
      const question = page.getByRole('dialog', { name: 'Odadan ayrılıyor musun?' })
      await page.getByRole('button', { name: 'Tüm Odalar' }).first().click()
      await rooms.waitFor()
      await page.goBack()
      await rooms.waitFor({ state: 'hidden' })
      // Without a click in between.
      for (const state of ['visible', 'hidden', 'visible'] as const) {
        await page.goBack()
        await question.waitFor({ state })
      }
      await question.getByRole('button', { name: 'Vazgeç' }).click()
      await question.waitFor({ state: 'hidden' })

      await writer.sendMessage('@Zeki buraya bak')
      await page.getByRole('link', { name: /senden bahsetti/ }).click()
      await page.getByRole('heading', { name: '#Meydan' }).waitFor()
      await away.bubble('@Zeki buraya bak', 'sent').waitFor()

      const link = new URL('/room/3', page.url()).href
      await say(away.composer, link)
      await away.bubble(link, 'sent').getByRole('link').click()
      await page.getByRole('heading', { name: '#Müzik' }).waitFor()
      expect(page.context().pages()).toHaveLength(1)

      const newer = new ChatPage(await page.context().newPage())
      visitors.push(newer)
      await newer.page.goto('/room/2')
      await newer.page.getByRole('button', { name: 'Burada kullan' }).click()
      await page.waitForURL((url) => url.pathname === '/')
      await newer.page.getByRole('heading', { name: '#Sohbet' }).waitFor()
      await newer.waitForRoom()
    },
  )

  journey(
    'the drawing is whole, the log is one tab stop, the time is not alone on a line, and a long text is pasted in parts',
    { tags: 'deep' },
    async ({ site, firefox }) => {
      const visitor = await firefox()
      const { page, composer } = visitor
      await page.goto('/')
      for (const width of [320, 820, 3440, 1440]) {
        await page.setViewportSize({ width, height: 900 })
        expect(await findCutParts(page), `at ${width} px`).toEqual([])
      }
      await signInAsGuest(site.origin, 'Yazan')
      const words = Array.from({ length: 20 }, (_, index) => `${'kelime '.repeat(8)}${'ab'.repeat(index + 1)}`)
      insertMessages(site, 4, [...words, `http://x.com/${'abc'.repeat(40)}`, 'Son söz'])
      await visitor.openRoomAsGuest('Okur', 4)
      // The keys of the log load later.
      await page.locator('.bubble-row :is(a, button)[tabindex="-1"]').first().waitFor({ state: 'attached' })
      expect(await findLonelyTimes(page)).toEqual([])
      expect(await findSmallTargets(page, MIN_TARGET_PX)).toEqual([])
      const { stops, unseen } = await collectTabStops(page)
      const log = stops.indexOf('#Oyun mesajları')
      expect(stops.slice(log, log + 3)).toEqual(['#Oyun mesajları', 'Emoji seç', 'Mesaj yaz'])
      expect([stops[0], unseen]).toEqual(['Mesaj yazmaya geç', []])
      await visitor.messageLog.focus()
      await page.keyboard.press('ArrowUp')
      expect(await focusedName(page)).toMatch(/: Son söz$/)

      const [first, second] = ['a'.repeat(MAX_MESSAGE_LENGTH), 'bcd']
      await page.evaluate((copied) => {
        const field = document.body.appendChild(document.createElement('textarea'))
        field.value = copied
        field.select()
      }, first + second)
      await page.keyboard.press('ControlOrMeta+c')
      await composer.focus()
      await page.keyboard.press('ControlOrMeta+v')
      await page.getByText('3 karakter sığmadı.').waitFor()
      expect(await composer.inputValue()).toBe(first)
      await composer.press('Enter')
      await expect.poll(() => composer.inputValue()).toBe(second)

      await visitor.openSideMenu()
      await visitor.sideMenuEntry('Çıkış Yap').click()
      const question = page.getByRole('dialog', { name: 'Adın serbest kalsın mı?' })
      await question.getByRole('button', { name: 'Çıkış Yap' }).click()
      await visitor.nameField.waitFor()
    },
  )

  journey('a newcomer signs up, and signs in again after a log-out', { tags: 'deep' }, async ({ firefox }) => {
    const visitor = await firefox()
    const { page } = visitor
    await page.goto('/room/2')
    await type(visitor.nameField, 'Zinnia')
    await page.getByRole('link', { name: 'Üye Ol' }).click()
    await page.getByRole('link', { name: 'Misafir olarak gir' }).click()
    await page.getByText('Kadın').click()
    await page.getByRole('link', { name: 'Üye Ol' }).click()
    await page.getByLabel('Şifren').waitFor()
    expect(await page.getByLabel('Kullanıcı adın').inputValue()).toBe('Zinnia')
    expect(await page.getByLabel('Kadın').isChecked()).toBe(true)
    await type(page.getByLabel('Şifren'), PASSWORD)
    await type(page.getByLabel('Yaşın'), '45')
    await page.getByText('Kullanım Sözleşmesini oku', { exact: true }).click()
    await page.getByRole('checkbox').check()
    await page.getByRole('button', { name: 'Üye Ol' }).click()
    await visitor.waitForRoom()
    expect(new URL(page.url()).pathname).toBe('/room/2')
    await visitor.logOut()

    await page.getByText('Üye misin?').click()
    expect(await page.getByLabel('Kullanıcı adı').evaluate((field) => field === document.activeElement)).toBe(true)
    await type(page.getByLabel('Kullanıcı adı'), 'Zinnia')
    await type(page.getByLabel('Şifre'), PASSWORD)
    await page.getByLabel('Şifre').press('Enter')
    await visitor.waitForRoom()
    expect(await page.evaluate(() => localStorage.getItem('username'))).toBe('Zinnia')
  })

  processJourney(
    'the page connects again after the server has restarted',
    { tags: 'deep' },
    async ({ site, firefox }) => {
      const visitor = await (await firefox()).openRoomAsGuest('Sabırlı')
      visitor.errors.allow(CUT)
      await say(visitor.composer, 'Önce')
      await visitor.waitForMessage('Önce')
      await site.signal('SIGTERM')
      await waitForStatus(visitor, 'Sunucu yeniden başlatılıyor.')
      await say(visitor.composer, 'Kapalıyken')
      await site.restart()
      await visitor.page.evaluate(() => window.dispatchEvent(new Event('online')))
      await visitor.waitForMessage('Kapalıyken')
      await visitor.waitForMessage('Önce')
    },
  )
})
