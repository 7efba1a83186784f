import type { Page } from 'playwright-core'

/** Accessible name of the focused control; empty without one. */
export function focusedName(page: Page): Promise<string> {
  return page.evaluate(() => {
    const control = document.activeElement
    if (!control || control === document.body) return ''
    const label = control instanceof HTMLInputElement ? control.labels?.[0]?.textContent : null
    return control.getAttribute('aria-label') ?? label ?? control.textContent ?? ''
  })
}

/** Resolves when the control with this name has the focus. */
export async function waitForFocus(page: Page, name: string): Promise<void> {
  await page.waitForFunction((wanted) => {
    const control = document.activeElement
    if (!control || control === document.body) return false
    const label = control instanceof HTMLInputElement ? control.labels?.[0]?.textContent : null
    return (control.getAttribute('aria-label') ?? label ?? control.textContent ?? '').includes(wanted)
  }, name)
}

/** Moves the focus by keyboard to the control with this name. */
export async function tabTo(page: Page, name: string, key: 'Tab' | 'Shift+Tab' = 'Tab'): Promise<void> {
  for (let step = 0; step < 80; step++) {
    if ((await focusedName(page)).includes(name)) return
    await page.keyboard.press(key)
  }
  throw new Error(`the keyboard does not reach ${name}`)
}

/** Moves the focus by the keys of a log to the control with this name, from the end of the log on upwards. */
export async function arrowTo(page: Page, name: string, log = page.getByRole('log')): Promise<void> {
  // Its keys load after it.
  await log.locator('.bubble-row :is(a, button)[tabindex="-1"]').first().waitFor({ state: 'attached' })
  await log.focus()
  await page.keyboard.press('End')
  for (let step = 0; step < 80; step++) {
    for (let before = ''; before !== (await focusedName(page)); ) {
      before = await focusedName(page)
      const isControl = await page.evaluate(() => document.activeElement?.matches('a, button') ?? false)
      if (isControl && before.includes(name)) return
      await page.keyboard.press('ArrowRight')
    }
    await page.keyboard.press('ArrowUp')
  }
  throw new Error(`the arrows do not reach ${name}`)
}

/** All tab stops of the page in order, and those without a visible focus. */
export async function collectTabStops(page: Page): Promise<{ stops: string[]; unseen: string[] }> {
  const stops: string[] = []
  const unseen: string[] = []
  await page.evaluate(() => document.querySelector<HTMLElement>('.skip-link')?.focus())
  for (let step = 0; step < 150; step++) {
    await page.keyboard.press('Tab')
    const name = await focusedName(page)
    if (name === '' || (stops.length > 0 && name === stops[0])) break
    stops.push(name)
    const isSeen = await page.evaluate(() => {
      const control = document.activeElement
      if (!control) return false
      // A styled radio shows the focus on its replacement.
      const shown = control.matches('input[type=radio]') ? (control.nextElementSibling ?? control) : control
      const { left, right, top, bottom } = shown.getBoundingClientRect()
      const isInView = right > 0 && bottom > 0 && left < innerWidth && top < innerHeight && right - left > 1
      const ring = [shown, shown.parentElement, shown.closest('form, search, .composer-box')]
      const isRinged = ring.some(
        (one) =>
          (one &&
            Number.parseFloat(getComputedStyle(one).outlineWidth) > 0 &&
            getComputedStyle(one).outlineStyle !== 'none') ||
          (one && getComputedStyle(one).boxShadow !== 'none'),
      )
      return isInView && isRinged
    })
    if (!isSeen) unseen.push(name)
  }
  return { stops, unseen }
}
