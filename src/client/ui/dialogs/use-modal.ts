import { type RefObject, useLayoutEffect, useRef } from 'react'
import { openModal } from './open-modals.ts'

/**
 * Keeps a `<dialog>` open and modal while it is rendered. Esc and a press outside call `onClose`; the browser itself
 * traps and returns the focus.
 */
export function useModal(dialog: RefObject<HTMLDialogElement | null>, onClose: () => void): void {
  const close = useRef(onClose)
  useLayoutEffect(() => {
    close.current = onClose
  })

  // A layout effect: the focus returns only if the dialog closes while it is still in the page.
  useLayoutEffect(() => {
    const { current } = dialog
    if (!current) return
    const listeners = new AbortController()
    const { signal } = listeners
    let pressedTarget: EventTarget | null = null
    const recordPress = ({ target }: Event): void => {
      pressedTarget = target
    }
    current.addEventListener('pointerdown', recordPress, { signal })
    // A text selection that ends outside is no press outside.
    const isOutside = (target: EventTarget | null): boolean => target === current && pressedTarget === current
    current.addEventListener('click', ({ target }) => isOutside(target) && close.current(), { signal })
    current.addEventListener('cancel', (event) => event.preventDefault(), { signal })
    current.addEventListener('cancel', () => close.current(), { signal })
    // Browsers close a dialog even after a prevented `cancel` when Esc is pressed again.
    current.addEventListener('close', () => close.current(), { signal })
    const closeModal = openModal(current)
    return () => {
      listeners.abort()
      closeModal()
      animateClosing(current)
    }
  }, [dialog])
}

/** A dialog closes at once for focus and screen readers; an inert copy of it plays the closing animation. */
function animateClosing(dialog: HTMLDialogElement): void {
  if (matchMedia('(prefers-reduced-motion: reduce)').matches || !('popover' in dialog)) return
  const copy = document.createElement('div')
  copy.className = `${dialog.className} closing`
  copy.append(...dialog.cloneNode(true).childNodes)
  for (const element of copy.querySelectorAll('[id]')) element.removeAttribute('id')
  copy.inert = true
  copy.ariaHidden = 'true'
  copy.popover = 'manual'
  document.body.append(copy)
  copy.showPopover()
  const scrollTop = dialog.querySelector('.panel-scroll')?.scrollTop
  if (scrollTop) copy.querySelector('.panel-scroll')?.scrollTo(0, scrollTop)
  const animations = copy.getAnimations().map(({ finished }) => finished)
  Promise.allSettled(animations).then(() => copy.remove())
}
