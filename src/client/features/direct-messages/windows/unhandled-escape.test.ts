import { expect, it, vi } from 'vitest'
import { onUnhandledEscape } from './unhandled-escape.ts'

/** Presses a key several times in a window that has an open layer above it. */
function createPress(handlesKey: () => boolean) {
  const target = new EventTarget()
  const close = vi.fn()
  target.addEventListener('keydown', (event) => handlesKey() && event.preventDefault())
  const press = (key: string): boolean => {
    const event = Object.assign(new Event('keydown', { cancelable: true }), { key }) as KeyboardEvent // the used fields
    onUnhandledEscape(event, close, target)
    return target.dispatchEvent(event)
  }
  return { close, press }
}

it('[SHELL-25] closes a window by Esc only after the layers inside it', () => {
  let isReplying = true
  const { close, press } = createPress(() => isReplying)
  press('Escape')
  expect(close).not.toHaveBeenCalled()
  isReplying = false
  press('Enter')
  expect(close).not.toHaveBeenCalled()
  expect(press('Escape')).toBe(false)
  expect(close).toHaveBeenCalledTimes(1)
})
