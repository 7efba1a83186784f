import { type RefObject, useLayoutEffect, useRef } from 'react'
import { closeOnBack } from '../../navigation/close-on-back.ts'
import { prefersStill } from '../prefers-still.ts'
import { openModal } from './open-modals.ts'

/** The longest time between the two clicks of a double click. */
const DOUBLE_CLICK_MS = 500

/** The longest way between them: browsers count clicks in a row also after another way to close, such as Esc. */
const DOUBLE_CLICK_PX = 24

/** For a page that comes into the background, which starts no animation. */
const MAX_ANIMATION_START_MS = 1_000

/**
 * Keeps a `<dialog>` open and modal while it is rendered. Esc and Back call `onClose`, a click outside `onPressOutside`;
 * the browser itself traps and returns the focus.
 * @param path of the page with the dialog, if it has a URL of its own
 */
export function useModal(
  dialog: RefObject<HTMLDialogElement | null>,
  onClose: () => void,
  onPressOutside: () => void = onClose,
  path?: string,
): void {
  const close = useRef(onClose)
  const pressOutside = useRef(onPressOutside)
  useLayoutEffect(() => {
    close.current = onClose
    pressOutside.current = onPressOutside
  })

  // A layout effect: the focus returns only if the dialog closes while it is still in the page.
  useLayoutEffect(() => {
    const { current } = dialog
    if (!current) return
    const listeners = new AbortController()
    listen(current, { close: () => close.current(), pressOutside: () => pressOutside.current() }, listeners.signal)
    let lastClick: MouseEvent | null = null
    const recordLastPress = (event: MouseEvent): void => {
      lastClick = event
    }
    current.addEventListener('click', recordLastPress, { signal: listeners.signal })
    const closeModal = openModal(current)
    const leaveEntry = closeOnBack(() => close.current(), path)
    return () => {
      listeners.abort()
      // While it is open its layout is valid; a closed dialog has no scroll position and no animation.
      const scrollTop = current.querySelector('.panel-scroll')?.scrollTop ?? 0
      const startTime = current.matches('.closing') ? current.getAnimations()[0]?.startTime : null
      closeModal()
      if (lastClick) ignoreDoubleClick(lastClick)
      leaveEntry()
      // After React has removed it.
      queueMicrotask(() => animateClosing(current, scrollTop, startTime))
    }
  }, [dialog, path])
}

interface ModalHandlers {
  close: () => void
  pressOutside: () => void
}

function listen(dialog: HTMLDialogElement, { close, pressOutside }: ModalHandlers, signal: AbortSignal): void {
  let pressedTarget: EventTarget | null = null
  const recordPress = ({ target }: Event): void => {
    pressedTarget = target
  }
  const cancel = (event: Event): void => {
    // Browsers do not let a page prevent the second Esc in a row: `close` follows.
    if (!event.cancelable) return
    event.preventDefault()
    close()
  }
  const closeOrReopen = (): void => {
    close()
    // A dialog that goes a step back instead of closing stays open.
    requestAnimationFrame(() => reopen(dialog))
  }
  dialog.addEventListener('pointerdown', recordPress, { signal })
  // A text selection that ends outside is no click outside.
  const isOutside = (target: EventTarget | null): boolean => target === dialog && pressedTarget === dialog
  dialog.addEventListener('click', ({ target }) => isOutside(target) && pressOutside(), { signal })
  dialog.addEventListener('cancel', cancel, { signal })
  dialog.addEventListener('close', closeOrReopen, { signal })
}

function reopen(dialog: HTMLDialogElement): void {
  if (dialog.isConnected && !dialog.open) dialog.showModal()
}

/**
 * Starts the closing animation in the frame of a click, and closes when it has started. On a slow phone the page around a
 * dialog takes 200 ms to become interactive again.
 */
export function closeAfterFrame(dialog: HTMLDialogElement | null, close: () => void): void {
  if (dialog?.matches('.closing')) return
  if (!dialog || document.hidden || prefersStill()) {
    close()
    return
  }
  dialog.classList.add('closing')
  requestAnimationFrame(() => {
    // Only an animation that has started has the time from which `animateClosing` goes on.
    const started = Promise.allSettled(dialog.getAnimations().map(({ ready }) => ready))
    const deadline = new Promise((resolve) => setTimeout(resolve, MAX_ANIMATION_START_MS))
    // In a task of its own: in a frame, the request of `animateClosing` for the next frame would come one frame late.
    void Promise.race([started, deadline]).then(() => setTimeout(() => dialog.open && close()))
  })
}

/**
 * A dialog closes at once for focus and screen readers; an inert element with its content plays the closing animation.
 * The content is moved: a copy of a long list would delay the frame after the click.
 * @param startTime of the animation, if it has started in the dialog
 */
function animateClosing(dialog: HTMLDialogElement, scrollTop: number, startTime: Animation['startTime'] = null): void {
  // The overlay that a skeleton stands in for takes its place at once.
  if (dialog.isConnected || dialog.querySelector('.overlay-skeleton')) return
  if (prefersStill() || !('popover' in dialog)) return
  const leaving = document.createElement('div')
  leaving.className = `${dialog.className} closing`
  leaving.append(...dialog.childNodes)
  for (const element of leaving.querySelectorAll('[id]')) element.removeAttribute('id')
  leaving.inert = true
  leaving.ariaHidden = 'true'
  leaving.popover = 'manual'
  document.body.append(leaving)
  leaving.showPopover()
  if (scrollTop > 0) leaving.querySelector('.panel-scroll')?.scrollTo(0, scrollTop)
  // In the next frame: asking for the animations now would compute the style twice.
  requestAnimationFrame(() => {
    const animations = ownAnimations(leaving)
    if (startTime !== null) for (const animation of animations) animation.startTime = startTime
    void Promise.allSettled(animations.map(({ finished }) => finished)).then(() => leaving.remove())
  })
}

/** Those of the element and of its backdrop. */
function ownAnimations(element: Element): Animation[] {
  const animations = element.getAnimations({ subtree: true })
  return animations.filter(({ effect }) => effect instanceof KeyframeEffect && effect.target === element)
}

/**
 * Ignores the second click of a double click whose first click has closed a dialog: it would reach what is below, for
 * example the button that opens the own panel.
 */
function ignoreDoubleClick(first: MouseEvent): void {
  const remainingMs = first.timeStamp + DOUBLE_CLICK_MS - performance.now()
  if (remainingMs <= 0) return
  const listening = new AbortController()
  const options = { capture: true, signal: listening.signal }
  const ignore = (event: MouseEvent): void => {
    const distancePx = Math.hypot(event.clientX - first.clientX, event.clientY - first.clientY)
    if (event.detail < 2 || distancePx > DOUBLE_CLICK_PX) return
    event.preventDefault()
    event.stopImmediatePropagation()
  }
  addEventListener('mousedown', ignore, options) // it would move the focus
  addEventListener('click', ignore, options)
  setTimeout(() => listening.abort(), remainingMs)
}
