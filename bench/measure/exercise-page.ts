import type { Locator, Page } from 'playwright-core'
import type { Device } from './browser.ts'

/** Typing speed of a person. */
const KEY_DELAY_MS = 100

/** The usual actions on the landing page before sign-in. */
export async function exerciseLanding(page: Page, device: Device): Promise<void> {
  const press = pressFor(device)
  await press(page.getByLabel('Adın', { exact: true }))
  await page.keyboard.type('deneme', { delay: KEY_DELAY_MS })
  await press(page.getByText('Üye misin?'))
  await press(page.getByRole('button', { name: /tema/i }))
}

/** The usual actions in a room: typing, sending, opening the lists of users and rooms, scrolling back. */
export async function exerciseRoom(page: Page, device: Device): Promise<void> {
  const press = pressFor(device)
  const text = `merhaba ${Date.now() % 1_000}`
  await press(page.getByRole('textbox', { name: 'Mesaj yaz' }))
  await page.keyboard.type(text, { delay: KEY_DELAY_MS })
  await page.keyboard.press('Enter')
  await page.locator('.bubble-row[data-status=sent]', { hasText: text }).waitFor()
  await exerciseUserList(page, device)
  await press(
    page
      .getByRole('button', { name: /^Tüm Odalar/ })
      .locator('visible=true')
      .first(),
  )
  await page.getByRole('dialog').waitFor()
  await page.keyboard.press('Escape')
  await page.getByRole('dialog').waitFor({ state: 'hidden' })
  await page.getByRole('log').hover()
  await page.mouse.wheel(0, -1_500)
  await press(page.locator('.to-end'))
}

async function exerciseUserList(page: Page, device: Device): Promise<void> {
  const press = pressFor(device)
  const people = page.getByRole('button', { name: /^Odadaki kullanıcılar/ }).locator('visible=true')
  // On a desktop the list is open from the start: the first click closes it.
  if (device === 'desktop') await press(people)
  await press(people)
  const rows = page.locator('.panel-scroll:visible')
  await rows.locator('.person').nth(3).hover()
  await page.mouse.wheel(0, 8_000)
  await rows.locator('[aria-posinset="105"]').waitFor()
  if (device === 'phone') await press(page.getByRole('button', { name: 'Kapat' }))
}

/** At the target's coordinates: `tap` and `click` of the locator run checks in the slowed page while it handles the click. */
function pressFor(device: Device): (target: Locator) => Promise<void> {
  return async (target) => {
    await target.scrollIntoViewIfNeeded()
    const box = await target.boundingBox()
    if (!box) throw new Error('the target of a press is not visible')
    const [x, y] = [box.x + box.width / 2, box.y + box.height / 2]
    if (device === 'phone') await target.page().touchscreen.tap(x, y)
    else await target.page().mouse.click(x, y)
  }
}
