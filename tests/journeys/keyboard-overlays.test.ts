// @module-tag deep
import { describe, expect } from 'vitest'
import { resizeToDesktop, resizeToPhone } from '../drivers/browser.ts'
import { sendPopup } from '../screens/screen-steps.ts'
import type { JourneyFixtures } from './journey.ts'
import { chooseMenuItem, KEYBOARD_POLL, keyboardJourney, openMenuByKey } from './keyboard-fixtures.ts'
import { arrowTo, focusedName, tabTo, waitForFocus } from './keyboard-focus.ts'

const movingJourney = keyboardJourney.extend<Pick<JourneyFixtures, 'motion'>>({
  motion: ['no-preference', { scope: 'file' }],
})

describe('people and messages by keyboard alone', () => {
  movingJourney(
    '[SHELL-26] a guest enters a name, chooses an avatar, and gets the focus in the composer',
    async ({ desktop }) => {
      const visitor = await desktop()
      const { page } = visitor
      await page.goto('/')
      await tabTo(page, 'Adın')
      await page.keyboard.type('Tuşçu')
      await tabTo(page, 'Kadın')
      await page.keyboard.press('ArrowDown')
      expect(await page.getByRole('radio', { name: 'Erkek' }).isChecked()).toBe(true)
      await tabTo(page, 'Meydana gir')
      await page.keyboard.press('Enter')
      await visitor.waitForRoom()
      await visitor.composer.and(page.locator(':focus')).waitFor()
    },
  )

  movingJourney('[SHELL-25] a profile, its menu and the ban form close one by one', async ({ sit, speaker }) => {
    await speaker('Misafirci')
    const { page } = (await sit('desktop')).visitor
    await tabTo(page, '#Meydan mesajları')
    await arrowTo(page, 'Ozan')
    await page.keyboard.press('Enter')
    const profile = page.getByRole('dialog', { name: 'Profil' })
    await profile.getByRole('heading', { name: 'Ozan' }).waitFor()
    await page.keyboard.press('Escape')
    await profile.waitFor({ state: 'hidden' })
    await waitForFocus(page, 'Ozan')

    await tabTo(page, 'Kadınlar')
    await page.keyboard.press('Tab')
    await page.keyboard.press('Tab')
    await page.keyboard.press('Home')
    await expect
      .poll(async () => {
        await page.keyboard.press('ArrowDown')
        return focusedName(page)
      }, KEYBOARD_POLL)
      .toContain('Misafirci')
    await page.keyboard.press('Enter')
    await profile.getByRole('heading', { name: 'Misafirci' }).waitFor()
    await tabTo(page, 'Diğer işlemler')
    await page.keyboard.press('Enter')
    const items = page.getByRole('menuitem')
    await items.first().and(page.locator(':focus')).waitFor()
    await page.keyboard.press('End')
    await items.last().and(page.locator(':focus')).waitFor()
    await page.keyboard.press('ArrowDown')
    await items.first().and(page.locator(':focus')).waitFor()
    await page.keyboard.press('Escape')
    await items.first().waitFor({ state: 'hidden' })
    await waitForFocus(page, 'Diğer işlemler')
    expect(await profile.isVisible()).toBe(true)

    await page.keyboard.press('Enter')
    await chooseMenuItem(page, 'Siteden Yasakla')
    const form = page.getByRole('dialog', { name: 'Siteden Yasakla' })
    await form.waitFor()
    await tabTo(page, '10 Dakika')
    await page.keyboard.press('ArrowDown')
    expect(await form.getByRole('radio', { name: '1 Saat' }).isChecked()).toBe(true)
    await page.keyboard.press('Escape')
    await form.waitFor({ state: 'hidden' })
    expect(await profile.isVisible()).toBe(true)
    await waitForFocus(page, 'Diğer işlemler')
    await page.keyboard.press('Escape')
    await profile.waitFor({ state: 'hidden' })
    await waitForFocus(page, 'Misafirci')
  })

  movingJourney('[SHELL-25] a form above a profile stays on top when the width changes', async ({ sit, speaker }) => {
    await speaker('Daralan')
    const { page } = (await sit('desktop')).visitor
    await page.getByRole('button', { name: 'Daralan' }).first().click()
    const profile = page.locator('[data-profile]')
    await profile.getByRole('button', { name: 'Diğer işlemler' }).press('Enter')
    await chooseMenuItem(page, 'Siteden Yasakla')
    const form = page.getByRole('dialog', { name: 'Siteden Yasakla' })
    await tabTo(page, '10 Dakika')
    for (const resize of [resizeToPhone, resizeToDesktop, resizeToPhone]) {
      await resize(page)
      await tabTo(page, 'Vazgeç')
      expect(await form.evaluate((dialog) => dialog.contains(document.activeElement))).toBe(true)
    }
    await page.keyboard.press('Escape')
    await form.waitFor({ state: 'hidden' })
    await page.waitForFunction(() => document.querySelector('[data-profile]:modal')?.contains(document.activeElement))
    await resizeToDesktop(page)
    await page.locator('[data-profile]:not(:modal)').waitFor()
    await profile.getByRole('button', { name: 'Diğer işlemler' }).focus()
    await page.keyboard.press('Escape')
    await profile.waitFor({ state: 'hidden' })
  })

  movingJourney('[SHELL-25] the composer’s emoji picker, mention list and reply close one by one', async ({ sit }) => {
    const { page, composer } = (await sit('desktop')).visitor
    await arrowTo(page, 'Yanıtla: ')
    await page.keyboard.press('Enter')
    const bar = page.locator('.reply-bar')
    await bar.waitFor()
    await composer.and(page.locator(':focus')).waitFor()
    await page.keyboard.type('selam @oz')
    const names = page.getByRole('listbox', { name: 'Bahsedilecek kişi' })
    await names.waitFor()
    expect(await composer.getAttribute('aria-activedescendant')).toBe(
      await names.getByRole('option').getAttribute('id'),
    )
    await page.keyboard.press('Escape')
    await names.waitFor({ state: 'hidden' })
    expect(await bar.isVisible()).toBe(true)

    await tabTo(page, 'Emoji seç', 'Shift+Tab')
    await page.keyboard.press('Enter')
    const picker = page.getByRole('dialog', { name: 'Emoji seç' })
    await picker.getByPlaceholder('Arama').and(page.locator(':focus')).waitFor()
    await page.keyboard.type('heart_eyes')
    const found = picker.getByRole('option')
    await expect.poll(() => found.first().getAttribute('aria-label'), KEYBOARD_POLL).toBe('😍')
    const second = (await found.nth(1).getAttribute('aria-label')) ?? ''
    await page.keyboard.press('ArrowRight')
    await page.keyboard.press('Enter')
    await expect.poll(() => composer.inputValue(), KEYBOARD_POLL).toContain(second)
    await page.keyboard.press('Escape')
    await picker.waitFor({ state: 'hidden' })
    await composer.and(page.locator(':focus')).waitFor()
    expect(await bar.isVisible()).toBe(true)
    await page.keyboard.press('Escape')
    await bar.waitFor({ state: 'hidden' })
    await composer.and(page.locator(':focus')).waitFor()
  })
})

describe('a focused element that is removed', () => {
  movingJourney('[SHELL-23] is detected in browsers without a blur event, such as Firefox', async ({ desktop }) => {
    const { page } = await (await desktop()).openRoomAsGuest('Tilki')
    await page.evaluate(() => {
      window.addEventListener('focusout', (event) => event.stopImmediatePropagation(), true)
      const button = document.createElement('button')
      document.querySelector('[role=log]')?.append(button)
      button.focus()
      button.remove()
    })
    await waitForFocus(page, '#Meydan mesajları')
  })

  movingJourney('[SHELL-23] passes the focus to its container', async ({ sit, speaker }) => {
    await speaker('Dalgacı')
    const { visitor, other } = await sit('desktop')
    const { page } = visitor
    await tabTo(page, '#Meydan mesajları')
    await arrowTo(page, 'https://ornek.com/a')
    await other.request('clearRoomMessages', { roomId: 1 })
    await expect.poll(() => visitor.messageTexts(), KEYBOARD_POLL).toEqual([])
    await waitForFocus(page, '#Meydan mesajları')

    for (const text of ['Birinci duyuru', 'İkinci duyuru']) {
      await sendPopup(visitor, { message: text })
      await page.getByText(text).waitFor()
    }
    const popups = page.getByRole('dialog', { name: 'Deniz' })
    for (const left of [1, 0]) {
      await popups.last().getByRole('button', { name: 'Kapat' }).focus()
      await page.keyboard.press(left ? 'Enter' : 'Escape')
      await expect.poll(() => popups.count(), KEYBOARD_POLL).toBe(left)
      expect(await focusedName(page)).not.toBe('')
    }

    await other.request('banUser', { targetname: 'Dalgacı', duration: '1hr', banReason: 'Uygunsuz Mesaj' })
    await visitor.messageLog.focus()
    await openMenuByKey(page, page.getByRole('menu', { name: 'Menü' }), 'Shift+F10')
    await chooseMenuItem(page, 'Moderasyon')
    const bans = page.getByRole('dialog', { name: 'Moderasyon' })
    await bans.waitFor()
    await tabTo(page, 'Yasaklar')
    await page.keyboard.press('Enter')
    await tabTo(page, 'Ban Kaldır: Dalgacı')
    await page.keyboard.press('Enter')
    await bans.getByText('Yasaklı kullanıcı yok.').waitFor()
    await page.waitForFunction(() => document.querySelector('dialog:modal')?.contains(document.activeElement))
    await page.keyboard.press('Escape')
    await bans.waitFor({ state: 'hidden' })
    await waitForFocus(page, '#Meydan mesajları')
  })
})
