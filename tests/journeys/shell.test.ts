import type { Dialog, Page } from 'playwright-core'
import { describe, expect } from 'vitest'
import { updateSiteDatabase } from '../drivers/site.ts'
import { sendPopup } from '../screens/screen-steps.ts'
import type { ChatPage } from './chat-page.ts'
import { movingJourney as journey } from './journey.ts'

/** The user agent of a phone's browser. */
const MOBILE_USER_AGENT =
  'Mozilla/5.0 (Linux; Android 16) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/140.0 Mobile Safari/537.36'

/** The name of the focused control; empty without one. */
function focusedName(page: Page): Promise<string> {
  return page.evaluate(() => {
    const control = document.activeElement
    if (!control?.matches('a, button')) return ''
    return control.getAttribute('aria-label') ?? control.textContent ?? ''
  })
}

/** Resolves when the control with this name has the focus. */
async function waitForFocus(page: Page, name: string): Promise<void> {
  await page.waitForFunction((wanted) => {
    const control = document.activeElement
    if (!control?.matches('a, button')) return false
    return (control.getAttribute('aria-label') ?? control.textContent ?? '').includes(wanted)
  }, name)
}

/** Moves by the keyboard to the control with this name. */
async function tabTo(page: Page, name: string): Promise<void> {
  for (let step = 0; step < 60; step++) {
    if ((await focusedName(page)).includes(name)) return
    await page.keyboard.press('Tab')
  }
  throw new Error(`the keyboard does not reach ${name}`)
}

function userListButton(page: Page) {
  return page.getByRole('button', { name: /^Odadaki kullanıcılar/ })
}

describe('the header', () => {
  journey('[SHELL-01] is 65 px high and links to the current room', async ({ desktop }) => {
    const { page } = await (await desktop()).openRoomAsGuest('Başlık')
    const header = page.getByRole('banner')
    expect((await header.boundingBox())?.height).toBe(65)
    const link = header.getByRole('link', { name: '#Meydan' })
    expect(await link.getAttribute('href')).toBe('/room/1')
  })

  journey('[SHELL-01] shows #Oda Yok to a user who is in no room', { tags: 'deep' }, async ({ site, desktop }) => {
    const visitor = await (await desktop()).openRoomAsGuest('Kapıda')
    const { page } = visitor
    await page.context().routeWebSocket(/\/live$/, (socket) => {
      const server = socket.connectToServer()
      socket.onMessage((frame) => {
        if (frame.includes('joinRoom')) updateSiteDatabase(site, 'update room set capacity = 0 where id = 5')
        server.send(frame)
      })
    })
    await page.goto('/room/5')
    await page.getByRole('heading', { name: '#Oda Yok' }).waitFor()
  })
})

describe('side panels', () => {
  journey(
    '[SHELL-02] [SHELL-03] a panel opens and closes by its button, and `panelChange` events name it',
    async ({ desktop }) => {
      const { page } = await (await desktop()).openRoomAsGuest('Panelci')
      const panel = page.getByRole('complementary')
      await panel.waitFor()
      expect((await panel.boundingBox())?.width).toBe(384)
      expect(await userListButton(page).getAttribute('aria-expanded')).toBe('true')
      await page.evaluate(() => {
        document.addEventListener('panelChange', (event) => {
          const { panel: name } = (event as CustomEvent<{ panel: string }>).detail
          document.body.dataset.panels = `${document.body.dataset.panels ?? ''} ${name}`
        })
      })
      await userListButton(page).click()
      await panel.waitFor({ state: 'hidden' })
      await userListButton(page).click()
      await panel.waitFor()
      expect(await page.evaluate(() => document.body.dataset.panels)).toBe(' none roomActiveUsers')
    },
  )

  for (const [device, name, viewport, width] of [
    ['tablet', 'Tabletçi', { width: 820, height: 1180 }, 356],
    ['phone', 'Telefoncu', { width: 390, height: 844 }, 390],
  ] as const) {
    journey(`[SHELL-03] [SHELL-05] [SHELL-52] on a ${device} a panel is a sheet of ${width} px`, async ({ phone }) => {
      const { page } = await (await phone({ viewport })).openRoomAsGuest(name)
      expect(await page.getByRole('complementary').count()).toBe(0)
      await userListButton(page).tap()
      const sheet = page.getByRole('dialog').filter({ has: page.getByText(new RegExp(`^${name}`)) })
      await sheet.waitFor()
      const opener = (await userListButton(page).boundingBox()) ?? expect.unreachable('the button is visible')
      const x = opener.x < viewport.width / 2 ? 0 : viewport.width - width
      await expect.poll(() => sheet.boundingBox()).toEqual({ x, y: 0, width, height: viewport.height })
      if (device === 'tablet') await page.touchscreen.tap(x === 0 ? viewport.width - 15 : 15, 600)
      else await sheet.getByRole('button', { name: 'Kapat' }).tap()
      await sheet.waitFor({ state: 'hidden' })
      expect(await userListButton(page).getAttribute('aria-expanded')).toBe('false')
    })
  }
})

describe('the dock', () => {
  journey(
    '[SHELL-04] [SHELL-20] offers users, rooms and settings, and loads overlays at the first click',
    async ({ phone }) => {
      const visitor = await phone()
      const loaded: string[] = []
      visitor.page.on('request', (request) => loaded.push(request.url()))
      const { page } = await visitor.openRoomAsGuest('Rıhtımcı')
      const dock = page.getByRole('navigation', { name: 'Hızlı erişim' })
      await dock.getByRole('button', { name: 'Tüm Odalar, 5 oda' }).waitFor()
      await page.locator('m-island[data-live]').filter({ has: dock }).waitFor()
      const isLoaded = () => loaded.some((url) => url.includes('/overlays-'))
      expect(isLoaded()).toBe(false)

      await dock.getByRole('button', { name: 'Ayarlar' }).tap()
      const settings = page.getByRole('dialog', { name: 'Ayarlar' })
      await settings.getByRole('button', { name: 'Oda Bilgileri' }).tap()
      expect(isLoaded()).toBe(true)
      await page.getByRole('dialog', { name: '#Meydan' }).getByText('Herkes girebilir').waitFor()
      await page.keyboard.press('Escape')
      await page.getByRole('dialog', { name: '#Meydan' }).waitFor({ state: 'hidden' })
      await settings.waitFor()
      await page.keyboard.press('Escape')
      await settings.waitFor({ state: 'hidden' })
      for (const box of await dock.getByRole('button').all()) {
        const { width = 0, height = 0 } = (await box.boundingBox()) ?? {}
        expect(Math.min(width, height)).toBeGreaterThanOrEqual(44)
      }
    },
  )
})

describe('an overlay', () => {
  journey('[SHELL-05] returns the focus to its opener, by keyboard alone', { tags: 'deep' }, async ({ desktop }) => {
    const visitor = await (await desktop()).openRoomAsGuest('Klavyeci')
    const { page } = visitor
    await tabTo(page, 'Tüm Odalar')
    await page.keyboard.press('Enter')
    const rooms = page.getByRole('dialog', { name: /Tüm Odalar/ })
    await rooms.getByText('En canlı odalar').waitFor()
    await tabTo(page, '#Müzik: Oda Bilgileri')
    await page.keyboard.press('Enter')
    const detail = page.getByRole('dialog', { name: '#Müzik' })
    await detail.waitFor()
    await page.keyboard.press('Escape')
    await detail.waitFor({ state: 'hidden' })
    await waitForFocus(page, '#Müzik: Oda Bilgileri')
    await page.keyboard.press('Escape')
    await rooms.waitFor({ state: 'hidden' })
    await waitForFocus(page, 'Tüm Odalar')
  })

  journey('[SHELL-06] closes when the user moves to another room', async ({ desktop }) => {
    const visitor = await (await desktop()).openRoomAsGuest('Taşınan')
    const { page } = visitor
    await page.getByRole('button', { name: 'Tüm Odalar' }).first().click()
    await page.getByRole('button', { name: '#Oyun: Oda Bilgileri' }).click()
    await page.getByRole('link', { name: 'ODAYA GEÇ' }).click()
    await page.getByRole('heading', { name: '#Oyun' }).waitFor()
    await page.waitForFunction(() => document.querySelector('dialog[open]') === null)
    await visitor.composer.click()
  })
})

describe('the right-click menu', () => {
  journey(
    '[SHELL-07] opens the room sheet, stays inside the window, and closes on a click',
    { tags: 'deep' },
    async ({ desktop }) => {
      const { page, messageLog } = await (await desktop()).openRoomAsGuest('Sağtık')
      const menu = page.getByRole('menu')
      await page.mouse.click(1438, 898, { button: 'right' })
      await menu.waitFor()
      await page.waitForFunction(() => {
        const box = document.querySelector('[role=menu]')?.getBoundingClientRect()
        return box && Math.abs(innerWidth - box.right - 10) < 1 && Math.abs(innerHeight - box.bottom - 10) < 1
      })
      await page.mouse.click(500, 400)
      await menu.waitFor({ state: 'hidden' })

      // The menu opens with the press and stays open after the release.
      await page.mouse.move(500, 400)
      await page.mouse.down({ button: 'right' })
      await waitForFocus(page, 'Oda Oluştur')
      await page.mouse.up({ button: 'right' })
      await page.keyboard.press('ArrowDown')
      await waitForFocus(page, 'Engellenen Kullanıcılar')
      await page.mouse.click(500, 400, { button: 'middle' })
      await menu.waitFor({ state: 'hidden' })

      await messageLog.focus()
      await page.keyboard.press('Shift+F10')
      await page.getByRole('menuitem', { name: 'Oda Bilgileri' }).waitFor()
      await waitForFocus(page, 'Oda Oluştur')
      await page.keyboard.press('Escape')
      await menu.waitFor({ state: 'hidden' })
      await page.waitForFunction(() => document.activeElement?.getAttribute('role') === 'log')
      await messageLog.click({ button: 'right', position: { x: 40, y: 40 } })
      await waitForFocus(page, 'Oda Oluştur')
      await page.keyboard.press('ArrowDown')
      await page.keyboard.press('ArrowDown')
      await page.keyboard.press('Enter')
      await page.getByRole('dialog', { name: '#Meydan' }).getByText('Herkes girebilir').waitFor()
    },
  )

  journey('[SHELL-08] leaves fields and selected text to the browser', async ({ site, desktop }) => {
    const visitor = await (await desktop()).openRoomAs('İşaretleyen', await site.createRootAdmin('İşaretleyen'))
    const { page } = visitor
    await visitor.sendMessage('bunu işaretle')
    await visitor.waitForMessage('Bunu işaretle')
    await page.evaluate(() => {
      document.addEventListener('contextmenu', (event) => {
        document.body.dataset.prevented = String(event.defaultPrevented)
      })
    })
    const isMenuPrevented = () => page.evaluate(() => document.body.dataset.prevented)
    await visitor.composer.click({ button: 'right' })
    expect(await isMenuPrevented()).toBe('false')
    await visitor.bubble('Bunu işaretle').getByText('Bunu işaretle').dblclick()
    await visitor.bubble('Bunu işaretle').getByText('Bunu işaretle').click({ button: 'right' })
    expect(await isMenuPrevented()).toBe('false')
  })
})

describe('popups', () => {
  journey(
    "[SHELL-12] [SHELL-14] stack until each is closed, and leave the composer's text and focus alone",
    async ({ phone, speaker }) => {
      const sender = await speaker('Duyuran', { role: 'rootAdmin' })
      const announce = (popup: object) => sender.fetch('/api/root-admin/send-popup', popup, sender.signedIn.adminToken)
      const reader = await (await phone()).openRoomAsGuest('Okur')
      await reader.composer.fill('yarım kalan')
      await reader.composer.focus()
      await announce({ message: '<p>İlk <b>duyuru</b></p>' })
      await announce({ message: 'İkinci duyuru', imagePath: '/drawings/quiet.svg' })
      const popups = reader.page.getByRole('dialog', { name: 'Duyuran' })
      await reader.page.getByText('İkinci duyuru').waitFor()
      await reader.page.getByText('İlk duyuru').waitFor()
      expect(await popups.count()).toBe(2)
      expect(await reader.page.evaluate(() => document.activeElement?.tagName)).toBe('TEXTAREA')
      expect(await reader.composer.inputValue()).toBe('yarım kalan')

      // The newest popup is on top.
      await announce({ message: '<p>Son <b>duyuru</b></p>' })
      for (const text of ['Son duyuru', 'İkinci duyuru']) {
        await popups.filter({ hasText: text }).getByRole('button', { name: 'Kapat' }).tap()
        await reader.page.getByText(text).waitFor({ state: 'detached' })
      }
      await popups.getByRole('button', { name: 'Duyuran' }).tap()
      await reader.page.getByRole('dialog', { name: 'Profil' }).getByText('Root Admin').waitFor()
      await reader.page.keyboard.press('Escape')
      await reader.page.getByRole('dialog', { name: 'Profil' }).waitFor({ state: 'hidden' })
      await popups.getByRole('button', { name: 'Kapat' }).tap()
      await popups.waitFor({ state: 'detached' })
    },
  )

  journey('[SHELL-13] run no script of their message', { tags: 'deep' }, async ({ site, desktop }) => {
    const root = await (await desktop()).openRoomAs('Sinsi', await site.createRootAdmin('Sinsi'))
    const hostile =
      '<p>temiz</p><img src=x onerror="document.body.dataset.hit=1"><script>document.body.dataset.hit=1</script>' +
      '<a href="javascript:document.body.dataset.hit=1">bağ</a><svg onload="document.body.dataset.hit=1"></svg>' +
      '<form action="https://ornek.com"><button>bas</button></form><a href="https://ornek.com/a">dışarı</a>'
    await sendPopup(root, { message: hostile })
    const popup = root.page.getByRole('dialog', { name: 'Sinsi' })
    await popup.getByText('temiz').waitFor()
    const link = popup.getByRole('link', { name: 'dışarı' })
    expect(await link.getAttribute('rel')).toContain('noopener')
    expect(await link.getAttribute('target')).toBe('_blank')
    expect(await popup.locator('script, svg[onload], form, img[onerror], a[href^=javascript]').count()).toBe(0)
    expect(await root.page.evaluate(() => document.body.dataset.hit)).toBeUndefined()
  })
})

describe('statistics', () => {
  journey("[SHELL-15] [SHELL-16] show the running site's counts", { tags: 'deep' }, async ({ phone, speaker }) => {
    await speaker('Masadaki')
    const visitor = await phone({ userAgent: MOBILE_USER_AGENT })
    const { page } = visitor
    await page.goto('/')
    await visitor.nameField.fill('Sayılan')
    await page.getByText('Kadın').tap()
    await page.getByRole('button', { name: 'Meydana gir' }).tap()
    await visitor.waitForRoom()

    await page.getByRole('button', { name: '2 kişi çevrimiçi', exact: true }).tap()
    const general = page.getByRole('dialog', { name: 'Genel' })
    await general.getByText('Sunucu Sahibi').waitFor()
    const statTexts = await general.locator('.stats > div').allInnerTexts()
    expect(statTexts.map((text) => text.split('\n').filter(Boolean).sort().join(' '))).toEqual(
      ['2 Aktif kullanıcı', '1 Kadın', '0 Erkek', '1 Masaüstü', '1 Mobil'].map((text) =>
        text.split(/ (.*)/).filter(Boolean).sort().join(' '),
      ),
    )
    await page.keyboard.press('Escape')
    await general.waitFor({ state: 'hidden' })

    await page.getByRole('button', { name: 'Ayarlar' }).tap()
    await page.getByRole('button', { name: 'Oda Yönetimi' }).tap()
    const room = page.getByRole('dialog', { name: 'Oda Yönetimi' })
    await room.getByText('#Meydan odasında').waitFor()
    await room.getByText('100.000 kişi').waitFor()
    await room.getByText('Süresiz').waitFor()
  })
})

describe('the page', () => {
  journey('[SHELL-10] shows a loading bar for 2.3 s at most', async ({ desktop }) => {
    const { page } = await (await desktop()).openRoomAsGuest('Bekleyen')
    await page.clock.install()
    const response = Promise.withResolvers<void>()
    await page.route(/\/room\/3$/, async (route) => {
      await response.promise
      await route.continue()
    })
    await page.getByRole('navigation').getByRole('link', { name: /Müzik/ }).click()
    await page.locator('html[data-loading]').waitFor({ state: 'attached' })
    await page.clock.fastForward(2_300)
    await page.locator('html:not([data-loading])').waitFor({ state: 'attached' })
    response.resolve()
    await page.getByRole('heading', { name: '#Müzik' }).waitFor()
    await page.locator('html:not([data-loading])').waitFor({ state: 'attached' })
  })

  journey('[SHELL-11] shows the progress of a sign-in', async ({ desktop }) => {
    const visitor = await desktop()
    const { page } = visitor
    await page.goto('/')
    await page.evaluate(() => {
      const progress = document.querySelector<HTMLElement>('[data-sign-in-progress]')
      const recordText = (): void => {
        if (progress && !progress.hidden) sessionStorage.setItem('seen', progress.textContent ?? '')
      }
      if (progress) new MutationObserver(recordText).observe(progress, { attributes: true })
    })
    await visitor.nameField.fill('Sabırlı')
    await visitor.nameField.press('Enter')
    await visitor.waitForRoom()
    expect(await page.evaluate(() => sessionStorage.getItem('seen'))).toContain('Meydana giriliyor...')
  })

  journey('[SHELL-17] asks before a reload, but not before a log-out', async ({ site, desktop }) => {
    const visitor = await (await desktop()).openRoomAs('Gidecek', await site.createRootAdmin('Gidecek'))
    const { page } = visitor
    const dialogTypes: string[] = []
    page.on('dialog', (dialog: Dialog) => {
      dialogTypes.push(dialog.type())
      void dialog.accept()
    })
    await visitor.sendMessage('buradayım')
    await visitor.waitForMessage('Buradayım')
    await page.reload()
    await visitor.waitForRoom()
    expect(dialogTypes).toEqual(['beforeunload'])
    await visitor.composer.click()
    await visitor.logOut()
    expect(dialogTypes).toEqual(['beforeunload'])
  })

  journey('[SHELL-18] has the theme in the HTML of the response', async ({ desktop }) => {
    const visitor: ChatPage = await (await desktop()).openRoomAsGuest('Işıkçı')
    const { page } = visitor
    const theme = async (path: string) => /data-theme="(\w+)"/.exec(await (await page.request.get(path)).text())?.[1]
    expect([await theme('/'), await theme('/room/1')]).toEqual(['dark', 'dark'])
    await visitor.chooseTheme('Açık')
    expect([await theme('/'), await theme('/room/1')]).toEqual(['light', 'light'])
  })

  journey('[SHELL-21] cannot be zoomed by touch', async ({ phone }) => {
    const { page } = await (await phone()).openRoomAsGuest('Parmak')
    for (const path of ['/', '/room/1']) {
      await page.goto(path)
      const viewport = await page.locator('meta[name=viewport]').getAttribute('content')
      expect(viewport).toMatch(/maximum-scale=1, user-scalable=no/)
      expect(await page.evaluate(() => getComputedStyle(document.documentElement).touchAction)).toBe('pan-x pan-y')
    }
  })

  journey('[SHELL-22] redirects /_app to the landing page', async ({ desktop }) => {
    const { page } = await desktop()
    await page.goto('/_app')
    expect(new URL(page.url()).pathname).toBe('/')
  })

  journey('[SHELL-19] has a manifest with which the site can be installed', async ({ desktop }) => {
    const { page } = await desktop()
    await page.goto('/')
    const href = await page.locator('link[rel=manifest]').getAttribute('href')
    const manifest = await (await page.request.get(href ?? '')).json()
    expect(manifest).toMatchObject({ name: expect.stringContaining('Meydan'), start_url: '/', display: 'standalone' })
    const icons: { src: string; sizes: string; purpose?: string }[] = manifest.icons
    expect(icons.map(({ sizes }) => sizes)).toEqual(expect.arrayContaining(['192x192', '512x512']))
    expect(icons.some(({ purpose }) => purpose === 'maskable')).toBe(true)
    for (const { src } of icons) expect((await page.request.get(src)).status()).toBe(200)
  })
})
