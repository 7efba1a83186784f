import { type RefObject, useLayoutEffect, useRef } from 'react'
import { openModal } from './open-modals.ts'

/**
 * Keeps a `<dialog>` open and modal for as long as it is rendered. Esc and a press outside call `onClose`; the focus
 * comes in, stays in and goes back by the browser's own doing.
 */
export function useModal(dialog: RefObject<HTMLDialogElement | null>, onClose: () => void): void {
  const close = useRef(onClose)
  useLayoutEffect(() => {
    close.current = onClose
  })

  // In a layout effect, because it has to close while it is still in the page: then the focus goes back.
  useLayoutEffect(() => {
    const { current } = dialog
    if (!current) return
    const ended = new AbortController()
    const { signal } = ended
    let pressed: EventTarget | null = null
    const press = ({ target }: Event): void => {
      pressed = target
    }
    current.addEventListener('pointerdown', press, { signal })
    // Whoever marks text and lets go outside has not pressed outside.
    const isOutside = (target: EventTarget | null): boolean => target === current && pressed === current
    current.addEventListener('click', ({ target }) => isOutside(target) && close.current(), { signal })
    current.addEventListener('cancel', (event) => event.preventDefault(), { signal })
    current.addEventListener('cancel', () => close.current(), { signal })
    // A browser does not let itself be kept from closing for ever.
    current.addEventListener('close', () => close.current(), { signal })
    const shut = openModal(current)
    return () => {
      ended.abort()
      shut()
      animateClosing(current)
    }
  }, [dialog])
}

/** What is closed is gone at once, for the focus and for screen readers; the eye sees a copy of it slide away. */
function animateClosing(dialog: HTMLDialogElement): void {
  if (matchMedia('(prefers-reduced-motion: reduce)').matches || !('popover' in dialog)) return
  const copy = document.createElement('div')
  copy.className = `${dialog.className} leaving`
  copy.append(...dialog.cloneNode(true).childNodes)
  for (const named of copy.querySelectorAll('[id]')) named.removeAttribute('id')
  copy.inert = true
  copy.ariaHidden = 'true'
  copy.popover = 'manual'
  document.body.append(copy)
  copy.showPopover()
  const scrolled = dialog.querySelector('.panel-scroll')?.scrollTop
  if (scrolled) copy.querySelector('.panel-scroll')?.scrollTo(0, scrolled)
  const gone = copy.getAnimations().map(({ finished }) => finished)
  Promise.allSettled(gone).then(() => copy.remove())
}
