import { describe, expect } from 'vitest'
import { movingJourney as journey } from './journey.ts'

describe('a closing sheet', () => {
  for (const device of ['desktop', 'phone'] as const)
    journey(
      `[SHELL-05] [SHELL-125] [SHELL-140] on a ${device} begins to slide in the frame of the click, and slides on with its own content, inert and outside the dialog`,
      async ({ desktop, phone }) => {
        const { page } = await (await { desktop, phone }[device]()).openRoomAsGuest(
          device === 'phone' ? 'Kapatan' : 'Kapayan',
        )
        const opener = page.getByRole('button', { name: /^Tüm Odalar/ }).locator('visible=true')
        await opener.first().click()
        await page.getByRole('dialog').getByText('#Müzik').first().waitFor()
        const leaving = await page.evaluate(async () => {
          const body = document.querySelector('dialog[open] > .sheet-body')
          const leftDialog = new Promise<Animation[]>((resolve) => {
            new MutationObserver((_, observer) => {
              const leaving = body?.closest('.closing[popover]')
              if (!leaving) return
              observer.disconnect()
              resolve(leaving.getAnimations({ subtree: true }))
            }).observe(document.body, { childList: true })
          })
          body?.querySelector<HTMLElement>('[aria-label=Kapat]')?.click()
          const beginsInDialog = body?.matches('dialog[open].closing > *')
          const [beginning] = body?.closest('dialog')?.getAnimations() ?? []
          await beginning?.ready
          const startTime = beginning?.startTime
          const animations = await leftDialog
          const state = {
            beginsInDialog,
            hasOwnContent: body?.isConnected,
            isInert: body?.closest('[inert][aria-hidden=true]') !== null,
            openDialogs: document.querySelectorAll('dialog').length,
            ids: document.querySelectorAll('.closing [id]').length,
          }
          const startTimes = await Promise.all(
            animations.map(({ finished }) => finished.then((ended) => ended.startTime)),
          )
          return { ...state, goesOn: startTimes.map((time) => time === startTime) }
        })
        const state = { beginsInDialog: true, hasOwnContent: true, isInert: true, openDialogs: 0, ids: 0 }
        expect(leaving).toEqual({ ...state, goesOn: [true, true] }) // the sheet and its backdrop
        await page.locator('.closing').waitFor({ state: 'detached' })

        await opener.first().click()
        await page.getByRole('dialog').getByText('#Müzik').first().waitFor()
      },
    )
})

describe('a closing skeleton', () => {
  journey('[SHELL-151] on a phone is replaced by nothing that loads after the click', async ({ phone }) => {
    const { page } = await (await phone()).openRoomAsGuest('Cayan')
    const { promise: isLetThrough, resolve: letThrough } = Promise.withResolvers<void>()
    await page.route(/\/assets\/overlays-.*\.js$/, async (route) => {
      await isLetThrough
      await route.continue()
    })
    await page.getByRole('button', { name: 'Ayarlar' }).tap()
    await page
      .getByRole('dialog', { name: 'Açılıyor...' })
      .getByRole('button', { name: 'Kapat' })
      .evaluate((button: HTMLElement) => {
        // The frame after the click does not come before the code.
        window.requestAnimationFrame = () => 0
        button.click()
      })
    letThrough()
    await page.getByRole('dialog').waitFor({ state: 'hidden' })
    expect(await page.getByRole('dialog', { includeHidden: true }).count()).toBe(0)
  })
})

describe('a double click on the close button', () => {
  journey('[SHELL-141] on a phone closes the panel and does not reach the button below', async ({ phone }) => {
    const { page } = await (await phone()).openRoomAsGuest('Sabırsız')
    const below = page.getByRole('button', { name: 'Profilim' })
    await page.locator('m-island[data-name*=panel-host][data-live]').waitFor({ state: 'attached' })
    const place = await below.evaluate((button) => {
      const { x, y, width, height } = button.getBoundingClientRect()
      return { x: x + width / 2, y: y + height / 2 }
    })
    await page
      .getByRole('button', { name: /^Odadaki kullanıcılar/ })
      .locator('visible=true')
      .click()
    await page
      .getByRole('dialog')
      .getByRole('button', { name: /Sabırsız/ })
      .waitFor()
    await page.locator('.sheet').evaluate((sheet) => Promise.all(sheet.getAnimations().map(({ finished }) => finished)))
    await page.mouse.dblclick(place.x, place.y)
    await page.locator('.closing').waitFor({ state: 'detached' })
    expect(await page.getByRole('dialog').count()).toBe(0)
    expect(await below.evaluate((button) => button === document.activeElement)).toBe(false)

    await below.click()
    await page.getByRole('dialog', { name: 'Profilim' }).waitFor()
  })
})

describe('an opening panel', () => {
  journey('[SHELL-126] on a phone shows its sheet a frame before its content', async ({ phone }) => {
    const { page } = await (await phone()).openRoomAsGuest('Açılan')
    const opener = page.getByRole('button', { name: /^Odadaki kullanıcılar/ }).locator('visible=true')
    await page.locator('m-island[data-name*=panel-host][data-live]').waitFor({ state: 'attached' })
    const rows = await opener.evaluate(async (button: HTMLElement) => {
      const count = () => document.querySelectorAll('dialog[open] .person').length
      button.click()
      // React commits a click in a microtask.
      await new Promise<void>((resolve) => queueMicrotask(resolve))
      return { isOpen: document.querySelector('dialog[open]') !== null, count: count() }
    })
    expect(rows).toEqual({ isOpen: true, count: 0 })
    await page
      .getByRole('dialog')
      .getByRole('button', { name: /Açılan/ })
      .waitFor()
  })
})
