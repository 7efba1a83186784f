import { join } from 'node:path'
import { expect } from 'vitest'
import { dateText } from '../../src/client/core/ui/format/turkish-time.ts'
import { giveMoney } from '../../src/server/testing/fixtures/money.ts'
import { readSiteDatabase, type Site } from '../drivers/site.ts'
import type { ChatPage } from './chat-page.ts'
import { journey } from './journey.ts'

const VALID_IBAN = '330006100519786457841326'

/** Gives money to Ada. */
function give(site: Site, lira: number, kind: 'earned' | 'loaded'): void {
  const userId = Number(readSiteDatabase(site, "select id from user where username = 'Ada'"))
  giveMoney(join(site.dataFolder, 'meydan.db'), { userId, amountKurus: lira * 100, kind })
}

const states = ({ page }: ChatPage) => page.locator('.requests .tag').allTextContents()
const waitForStates = (visitor: ChatPage, expected: string[]) => expect.poll(() => states(visitor)).toEqual(expected)
const toast = ({ page }: ChatPage, text: string | RegExp) =>
  page.locator('.toast').filter({ hasText: text }).first().waitFor()

/** Opens the wizard from 'Ödemeler'. */
async function openWizard(member: ChatPage): Promise<void> {
  const own = member.page.getByRole('dialog', { name: 'Ödemeler' })
  await own.getByRole('button', { name: 'Bizden Ödeme Alın' }).press('Enter')
  await member.page.getByText('Çekilebilir bakiyen').waitFor()
}

/** Asks for 50 lira by keyboard alone. */
async function askByKeyboard(member: ChatPage): Promise<void> {
  const { keyboard } = member.page
  const dialog = member.page.getByRole('dialog', { name: 'Bizden Ödeme Alın' })
  await dialog.getByRole('radio', { name: /^50 ₺/ }).waitFor()
  await dialog.getByRole('radio', { name: /^50 ₺/ }).focus()
  await keyboard.press('Space')
  await keyboard.press('Enter')
  await dialog.getByLabel('Ad', { exact: true }).waitFor()
  await keyboard.type('Ada')
  await keyboard.press('Tab')
  await keyboard.type('Yılmaz')
  await keyboard.press('Tab')
  await keyboard.type(VALID_IBAN)
  await keyboard.press('Enter')
  await toast(member, 'Ödeme talebiniz oluşturuldu ve onay bekliyor.')
  await dialog.waitFor({ state: 'detached' })
}

journey(
  '[WITHDRAW-04] [WITHDRAW-05] [WITHDRAW-19] [WITHDRAW-20] the wizard on a phone says what can be paid out, and what is missing',
  async ({ site, phone }) => {
    const ada = await (await phone()).enterAsMember('Ada')
    give(site, 120, 'earned')
    give(site, 80, 'loaded')
    await ada.openSideMenu()
    await ada.sideMenuEntry('Ödemeler').click()
    await ada.page.getByText('Henüz ödeme talebin yok.').waitFor()
    await openWizard(ada)
    const { page } = ada
    const dialog = page.getByRole('dialog', { name: 'Bizden Ödeme Alın' })
    await dialog.getByText('120 ₺', { exact: true }).waitFor()
    await dialog.getByText(/Yüklediğin 80 ₺ sitede harcanmak içindir/).waitFor()
    const next = dialog.getByRole('button', { name: 'Devam et' })
    const problem = (text: string) => dialog.locator('.toast, .field-error', { hasText: text }).first().waitFor()
    await next.tap()
    await problem('Lütfen bir miktar seçiniz!')
    await dialog.getByText('250 ₺').tap()
    await next.tap()
    await problem('Çekilebilir bakiyen bu ödeme için yeterli değil.')
    await dialog.getByText('100 ₺', { exact: true }).tap()
    await next.tap()

    const send = dialog.getByRole('button', { name: 'Ödeme talebi gönder' })
    await send.tap()
    await problem('Lütfen tüm alanları doldurun!')
    await dialog.getByLabel('Ad', { exact: true }).fill('Ada')
    await dialog.getByLabel('Soyad', { exact: true }).fill('Yılmaz')
    const iban = dialog.getByLabel('IBAN')
    expect(await iban.inputValue()).toBe('TR')
    await iban.pressSequentially('3300061005')
    expect(await iban.inputValue()).toBe('TR33 0006 1005')
    await send.tap()
    await problem('Lütfen geçerli bir IBAN numarası giriniz (TR ile başlayıp 24 haneli olmalıdır).')
    // `press` moves the caret of a field that has no focus.
    await iban.focus()
    // The digit before the space, and another one in its place.
    await iban.press('ArrowLeft')
    for (let step = 0; step < 3; step++) await iban.press('ArrowLeft')
    await iban.press('Backspace')
    await iban.pressSequentially('7')
    expect(await iban.inputValue()).toBe('TR33 0007 1005')
    await iban.fill(`tr${VALID_IBAN.slice(0, -1)}7`)
    await problem('kontrol basamakları uyuşmuyor')
    // Back goes a step back, and from the first step out.
    await page.getByRole('button', { name: 'Geri' }).tap()
    expect(await dialog.getByRole('radio', { name: '100 ₺' }).isChecked()).toBe(true)
    await page.keyboard.press('Escape')
    await dialog.waitFor({ state: 'detached' })
  },
)

journey(
  '[WITHDRAW-11] [WITHDRAW-12] [WITHDRAW-19] [WITHDRAW-21] [REQUEST-02] [REQUEST-03] [REQUEST-06] [REQUEST-12] a payment is rejected, asked for again, and approved',
  async ({ site, desktop }) => {
    const ada = await (await desktop()).enterAsMember('Ada')
    give(site, 60, 'earned')
    const root = await (await desktop()).openRoomAs('Kök', await site.createRootAdmin('Kök'))
    await ada.openSideMenu()
    await ada.sideMenuEntry('Ödemeler').click()
    await openWizard(ada)
    await askByKeyboard(ada)
    await waitForStates(ada, ['Bekliyor'])

    // In the notifications.
    await root.page.getByRole('button', { name: 'Bildirimler, 1 okunmamış' }).click()
    const row = root.page.getByRole('tabpanel', { name: /^Ödeme/ }).locator('.notification')
    await row.filter({ hasText: 'Ada ödeme talep etti' }).waitFor()
    await row.getByText('50 ₺').waitFor()
    await row.getByRole('button', { name: 'Reddet' }).click()
    await toast(root, /^Ödeme talebi #\d+ reddedildi\.$/)
    await root.page.getByText('Bekleyen ödeme talebi yok.').waitFor()
    await waitForStates(ada, ['Reddedildi'])

    // The money is back.
    await openWizard(ada)
    await ada.page.getByRole('dialog').getByText('60 ₺', { exact: true }).waitFor()
    await askByKeyboard(ada)
    await waitForStates(ada, ['Bekliyor', 'Reddedildi'])

    // In the list of requests, whose sums fail at first.
    root.errors.allow(/ERR_FAILED/)
    await root.page.route(/requests\/summary/, (route) => route.abort())
    await root.openSideMenu()
    await root.sideMenuEntry('Talepler').click()
    const summary = root.page.getByRole('region', { name: 'Günlük özet' })
    await summary.getByText('Günlük özet alınırken bir hata oluştu.').waitFor()
    await root.page.unroute(/requests\/summary/)
    await summary.getByRole('button', { name: 'Tekrar dene' }).click()
    await summary.getByText('1 talep').first().waitFor()
    await summary.getByText(dateText(Date.now())).waitFor()
    const review = root.page.locator('.review').filter({ hasText: 'Ada' })
    await review.getByText('TR33 0006 1005 1978 6457 8413 26').waitFor()
    await review.getByText('Ada Yılmaz').waitFor()
    // Another root admin is asked the same at this moment.
    const late = await (await desktop()).openRoomAs('Geç', await site.createRootAdmin('Geç'))
    late.errors.allow(/status of 409/)
    await late.openSideMenu()
    await late.sideMenuEntry('Talepler').click()
    await late.page.getByRole('searchbox', { name: 'Kullanıcı ara' }).fill('ada')
    const lateReview = late.page.locator('.review').filter({ hasText: 'Ada' })
    await lateReview.getByRole('button', { name: 'Reddet' }).click()
    const lateQuestion = late.page.getByRole('dialog', { name: /^Ödeme #/ })
    await lateQuestion.waitFor()

    await review.getByRole('button', { name: 'Onayla' }).click()
    await root.page
      .getByRole('dialog', { name: /^Ödeme #/ })
      .getByRole('button', { name: 'Onayla' })
      .click()
    await toast(root, /^Ödeme talebi #\d+ onaylandı\.$/)
    await review.waitFor({ state: 'detached' })
    await lateReview.waitFor({ state: 'detached' })
    await lateQuestion.getByRole('button', { name: 'Reddet' }).click()
    await toast(late, /zaten onaylandı: .*Kök/)
    await waitForStates(ada, ['Onaylandı', 'Reddedildi'])
    await root.page.getByRole('search').getByText('Onaylandı').click()
    await review.getByText('Kök').waitFor()
  },
)
