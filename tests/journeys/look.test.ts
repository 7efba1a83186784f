import type { Locator, Page } from 'playwright-core'
import { describe, expect } from 'vitest'
import { journey } from './journey.ts'
import { focusedName } from './keyboard-focus.ts'
import { findCutParts } from './layout-faults.ts'

/** Texts whose colour is too light for paper, on which browsers print no backgrounds. */
function findLightTexts(page: Page): Promise<string[]> {
  return page.evaluate(() => {
    const context = Object.assign(document.createElement('canvas'), { width: 1, height: 1 }).getContext('2d')
    const lightnessOf = (color: string): number => {
      if (!context) throw new Error('no canvas')
      context.fillStyle = '#fff'
      context.fillRect(0, 0, 1, 1)
      context.fillStyle = color
      context.fillRect(0, 0, 1, 1)
      const [red = 0, green = 0, blue = 0] = context.getImageData(0, 0, 1, 1).data
      return (0.299 * red + 0.587 * green + 0.114 * blue) / 255
    }
    const hasText = (element: Element): boolean =>
      [...element.childNodes].some(({ nodeType, textContent }) => nodeType === Node.TEXT_NODE && textContent?.trim())
    return [...document.body.querySelectorAll<HTMLElement>('*')]
      .filter((element) => hasText(element) && element.checkVisibility({ visibilityProperty: true }))
      .filter((element) => element.getBoundingClientRect().width > 1)
      .filter((element) => lightnessOf(getComputedStyle(element).color) > 0.6)
      .map((element) => `${element.className}: ${element.textContent}`.slice(0, 60))
  })
}

/** Titles and closing buttons of a dialog that the toasts cover. */
function findCoveredByToasts(dialog: Locator): Promise<string[]> {
  return dialog.evaluate((element) => {
    const toasts = element.querySelector('.toasts')?.getBoundingClientRect()
    if (!toasts) return ['no toast']
    return [...element.querySelectorAll('h1, h2, h3, [aria-label="Kapat"]')]
      .filter((part) => !part.closest('.toasts'))
      .filter((element) => {
        const { left, right, top, bottom } = element.getBoundingClientRect()
        return left < toasts.right && right > toasts.left && top < toasts.bottom && bottom > toasts.top
      })
      .map(({ textContent, ariaLabel }) => ariaLabel ?? textContent ?? '')
  })
}

journey('[SHELL-87] the landing page shows its whole drawing from 320 to 3,440 px', async ({ desktop }) => {
  const { page } = await desktop()
  await page.goto('/')
  for (const [width, height] of [
    [320, 568],
    [390, 844],
    [640, 900],
    [820, 1180],
    [900, 700],
    [1024, 768],
    [1200, 1400],
    [1440, 900],
    [1920, 1080],
    [2560, 1440],
    [3440, 1440],
  ] as const) {
    await page.setViewportSize({ width, height })
    expect(await findCutParts(page), `at ${width} px`).toEqual([])
    const speech = await page.locator('.scene-speech').first().boundingBox()
    expect(speech?.width, `at ${width} px`).toBeGreaterThan(60)
  }
})

describe('a room', () => {
  journey("[SHELL-83] gives the dock's width to the messages on a phone", async ({ phone }) => {
    const guest = await phone({ viewport: { width: 320, height: 568 } })
    const { page } = await guest.openRoomAsGuest('Darlık')
    const dock = page.getByRole('navigation', { name: 'Hızlı erişim' })
    await page.locator('m-island[data-live]').filter({ has: dock }).waitFor()
    expect((await page.locator('.thread').boundingBox())?.width).toBe(320)
    const field = page.locator('.composer-field')
    await field.tap()
    await dock.waitFor({ state: 'hidden' })
    for (let step = 0; step < 20 && !(await focusedName(page)).startsWith('Ayarlar'); step++)
      await page.keyboard.press('Shift+Tab')
    const names = []
    for (const _ of [1, 2, 3]) {
      names.push(await focusedName(page))
      await page.keyboard.press('Shift+Tab')
    }
    expect(names).toEqual([
      'Ayarlar',
      expect.stringMatching(/^Tüm Odalar, /),
      expect.stringMatching(/^Odadaki kullanıcılar, /),
    ])
    await dock.getByRole('button', { name: 'Ayarlar' }).tap()
    await page.getByRole('dialog', { name: 'Ayarlar' }).waitFor()
  })

  journey(
    '[SHELL-81] shows a toast where it covers no title and no closing button, on a phone',
    { tags: 'deep' },
    async ({ phone }) => {
      const guest = await phone()
      const { page } = await guest.openRoomAsGuest('Tostlu')
      await guest.openSideMenu()
      await guest.sideMenuEntry('Tercihlerim').click()
      const dialog = page.getByRole('dialog', { name: 'Tercihlerim' })
      await dialog.getByRole('combobox', { name: 'Mesaj yazma' }).selectOption('Hiç kimse')
      await page.locator('.toast').hover()
      await expect.poll(() => findCoveredByToasts(dialog)).toEqual([])
    },
  )

  journey(
    '[SHELL-85] [SHELL-86] [SHELL-142] keeps edges with forced colours, and is printed dark on white',
    async ({ desktop }) => {
      const guest = await desktop({ forcedColors: 'active', colorScheme: 'dark' })
      const { page } = await guest.openRoomAsGuest('Kenarlı')
      await page.locator('m-island[data-live] .dock').waitFor({ state: 'attached' })
      await guest.sendMessage('Kenarları görünsün')
      const borderOf = (selector: string) =>
        page
          .locator(selector)
          .first()
          .evaluate((element) => Number.parseFloat(getComputedStyle(element).borderTopWidth))
      for (const selector of ['.icon-button', '.bubble', '.composer-box', '.composer-emoji'])
        await expect.poll(() => borderOf(selector)).toBeGreaterThan(0)
      await page.locator('.composer-field').focus()
      expect(await page.locator('.composer-field').evaluate((field) => getComputedStyle(field).outlineStyle)).toBe(
        'solid',
      )
      await guest.openSideMenu()
      const iconColour = await page
        .locator('.menu-row:not(.danger) > .icon')
        .first()
        .evaluate((icon) => {
          const colourOf = (element: Element | null) => element && getComputedStyle(element).color
          return { icon: colourOf(icon), text: colourOf(icon.parentElement) }
        })
      expect(iconColour.icon).toBe(iconColour.text)
      await guest.sideMenuEntry('Tercihlerim').click()
      await page.getByRole('combobox', { name: 'Mesaj yazma' }).waitFor()
      const borders = () =>
        page
          .locator('.choices > label > input + span')
          .evaluateAll((all) => all.map((one) => getComputedStyle(one).borderWidth))
      expect((await borders()).slice(0, 3)).toEqual(['3px', '1px', '1px'])
      expect(await borderOf('dialog')).toBeGreaterThan(0)
      await page.keyboard.press('Escape')

      await page.emulateMedia({ forcedColors: 'none', media: 'print' })
      const expectDarkOnWhite = async (place: string) => {
        for (const theme of ['dark', 'light', 'system']) {
          await page.locator('html').evaluate((html, theme) => html.setAttribute('data-theme', theme), theme)
          const background = () => page.locator('html').evaluate((html) => getComputedStyle(html).backgroundColor)
          await expect.poll(background).toBe('rgb(255, 255, 255)')
          expect(await findLightTexts(page), `${place}, ${theme}`).toEqual([])
        }
      }
      await expectDarkOnWhite('room')
      expect(await guest.bubble('Kenarları görünsün').isVisible()).toBe(true)
      for (const hidden of ['.composer', '.room-rail', '.side-panel', '.icon-button'])
        expect(await page.locator(hidden).first().isVisible(), hidden).toBe(false)
      await page.context().clearCookies()
      for (const path of ['/', '/room/1', '/kurallar', '/gizlilik']) {
        await page.goto(path)
        await expectDarkOnWhite(path)
      }
    },
  )
})
