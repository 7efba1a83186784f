import { type RefObject, useEffect, useLayoutEffect, useRef, useState } from 'react'

const WINDOW_KEY = 'F8'
const TEXT_FIELDS =
  'textarea, select, [contenteditable]:not([contenteditable="false"]), input:not([type=button], [type=submit])'

/**
 * The focus of a box that is not modal. A call takes it when it appears, unless somebody types: what they typed would be
 * lost to the window. It goes to the box, not to a button, so that a key that is on its way accepts nothing. F8 leads to the
 * box and back, and the focus returns when the call is over. Returns whether somebody was typing.
 */
export function useCallFocus(box: RefObject<HTMLElement | null>): boolean {
  const opener = useRef<Element | null>(null)
  const [wasTyping] = useState(isTyping)
  useEffect(() => {
    const element = box.current
    const enter = (): void => {
      opener.current = document.activeElement
      element?.focus({ preventScroll: true })
    }
    if (!isTyping()) enter()
    const onKeyDown = (event: KeyboardEvent): void => {
      if (event.key !== WINDOW_KEY || event.ctrlKey || event.altKey || event.metaKey || event.shiftKey) return
      event.preventDefault()
      if (element?.contains(document.activeElement)) leave(opener.current)
      else enter()
    }
    addEventListener('keydown', onKeyDown)
    return () => removeEventListener('keydown', onKeyDown)
  }, [box])
  // A layout effect: the focus returns only while the box is still in the page.
  useLayoutEffect(() => {
    const element = box.current
    return () => {
      if (element?.contains(document.activeElement)) leave(opener.current)
    }
  }, [box])
  return wasTyping
}

function isTyping(): boolean {
  return document.activeElement?.matches(TEXT_FIELDS) ?? false
}

function leave(opener: Element | null): void {
  const next = opener instanceof HTMLElement && opener.isConnected ? opener : document.querySelector('main')
  next?.focus({ preventScroll: true })
}
