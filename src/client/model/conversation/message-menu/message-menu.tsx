import { type MouseEvent, type ReactNode, type RefObject, useCallback, useEffect, useState } from 'react'
import { createPortal } from 'react-dom'
import { MoreIcon } from '../../../core/ui/lazy-icons.tsx'
import { Menu, type MenuItem } from '../../../core/ui/menu/menu.tsx'
import type { Conversation } from '../conversation.ts'
import { useConversation } from '../conversation-context.ts'
import { messageName } from '../thread/message-name.ts'
import { messageMenuEntries, messageMenuItems } from './message-menu-entry.ts'
import './message-menu.lazy.css'

/** A finger that stays this long opens a menu. */
const LONG_PRESS_MS = 500

/** A finger that moves farther scrolls or swipes. */
const MAX_MOVE_PX = 10

interface OpenMenu {
  point: { x: number; y: number }
  entries: readonly MenuItem[]
}

const MESSAGE_ROW = '.bubble-row[data-id]'
const LABEL = 'Mesaj işlemleri'

/**
 * The actions on a message. Their button is drawn only at the message under the pointer and at the one with the focus; a
 * touch opens them by a long press.
 */
export function MessageMenu({ thread }: { thread: RefObject<HTMLElement | null> }): ReactNode {
  const conversation = useConversation()
  const [menu, setMenu] = useState<OpenMenu | null>(null)
  const close = useCallback(() => setMenu(null), [])
  const rows = useActiveRows(thread)
  const open = useCallback(
    (row: HTMLElement, point: OpenMenu['point']) => {
      const message = conversation.bubbles.peek().find(({ id }) => id === Number(row.dataset.id))
      if (!message) return
      const entries = () => messageMenuItems({ conversation, message })
      setMenu({ point, entries: entries() })
      // A message is drawn, and its menu can be opened, before the entries of features have loaded.
      messageMenuEntries.whenSet(() =>
        setMenu((open) => (open?.point === point ? { point, entries: entries() } : open)),
      )
    },
    [conversation],
  )
  useEffect(() => {
    const ended = new AbortController()
    if (thread.current) onLongPress(thread.current, MESSAGE_ROW, open, ended.signal)
    return () => ended.abort()
  }, [thread, open])
  return (
    <>
      {rows.map((row) =>
        createPortal(
          <MessageMenuButton label={labelOf(conversation, row)} onPress={(point) => open(row, point)} />,
          row.querySelector('.bubble') ?? row,
          row.dataset.id,
        ),
      )}
      {menu && <Menu label={LABEL} point={menu.point} entries={menu.entries} onClose={close} />}
    </>
  )
}

/** The actions are named after their message. */
function labelOf({ bubbles }: Conversation, row: HTMLElement): string {
  const message = bubbles.peek().find(({ id }) => id === Number(row.dataset.id))
  return message ? `${LABEL}: ${messageName(message)}` : LABEL
}

interface MessageMenuButtonProps {
  label: string
  onPress: (point: OpenMenu['point']) => void
}

function MessageMenuButton({ label, onPress }: MessageMenuButtonProps): ReactNode {
  const press = (event: MouseEvent<HTMLElement>): void => {
    // Any click on the document closes a menu; this one must not.
    event.stopPropagation()
    const { left, bottom } = event.currentTarget.getBoundingClientRect()
    onPress({ x: left, y: bottom + 4 })
  }
  return (
    <button type="button" className="message-more" aria-label={label} aria-haspopup="menu" onClick={press}>
      <MoreIcon size={18} />
    </button>
  )
}

/** The messages under the pointer and with the focus. */
function useActiveRows(thread: RefObject<HTMLElement | null>): HTMLElement[] {
  const [hovered, setHovered] = useState<HTMLElement | null>(null)
  const [focused, setFocused] = useState<HTMLElement | null>(null)
  useEffect(() => {
    const { current } = thread
    if (!current) return
    const ended = new AbortController()
    const { signal } = ended
    const rowOf = (target: unknown): HTMLElement | null => {
      const row = target instanceof Element ? target.closest<HTMLElement>(MESSAGE_ROW) : null
      return current.contains(row) ? row : null
    }
    // Both may have come before this code.
    setHovered(current.querySelector<HTMLElement>(`${MESSAGE_ROW}:hover`))
    setFocused(rowOf(document.activeElement))
    current.addEventListener('mouseover', ({ target }) => setHovered(rowOf(target)), { signal })
    const followFocus = ({ target }: Event): void => {
      // An open menu returns the focus to its button, which must still be there.
      const isInMenu = target instanceof Element && target.closest('[role=menu]')
      if (!isInMenu) setFocused(rowOf(target))
    }
    current.addEventListener('focusin', followFocus, { signal })
    return () => ended.abort()
  }, [thread])
  return [...new Set([hovered, focused])].filter((row) => row !== null).filter((row) => row.isConnected)
}

/** Calls `run` after a long press on an element that matches `selector`, with the point in the window, until `ended`. */
export function onLongPress(
  container: HTMLElement,
  selector: string,
  run: (element: HTMLElement, point: { x: number; y: number }) => void,
  ended: AbortSignal,
): void {
  let cancel = (): void => {}
  const begin = ({ touches, target }: TouchEvent): void => {
    cancel()
    const [touch] = touches
    const element = target instanceof Element ? target.closest<HTMLElement>(selector) : null
    if (!touch || !element || touches.length > 1) return
    const { clientX: x, clientY: y } = touch
    const listening = new AbortController()
    const { signal } = listening
    const timer = setTimeout(() => {
      cancel()
      ignoreRelease(element)
      run(element, { x, y })
    }, LONG_PRESS_MS)
    cancel = () => {
      clearTimeout(timer)
      listening.abort()
    }
    const move = (event: TouchEvent): void => {
      const [moved] = event.touches
      if (!moved || Math.hypot(moved.clientX - x, moved.clientY - y) > MAX_MOVE_PX) cancel()
    }
    element.addEventListener('touchmove', move, { signal, passive: true })
    for (const name of ['touchend', 'touchcancel'] as const) element.addEventListener(name, () => cancel(), { signal })
  }
  container.addEventListener('touchstart', begin, { signal: ended, passive: true })
  // The browser's own menu of a long press.
  container.addEventListener(
    'contextmenu',
    (event) => {
      const isTouch = event instanceof PointerEvent && event.pointerType === 'touch'
      if (isTouch && event.target instanceof Element && event.target.closest(selector)) event.preventDefault()
    },
    { signal: ended },
  )
  ended.addEventListener('abort', () => cancel())
}

/** The release of the finger is no click on what lies below it. A scroll cancels the touch: then no release comes. */
function ignoreRelease(element: HTMLElement): void {
  const touch = new AbortController()
  const { signal } = touch
  const preventClick = (event: TouchEvent) => {
    if (event.cancelable) event.preventDefault() // it is not while the page scrolls, and then no click follows
  }
  element.addEventListener('touchend', preventClick, { signal })
  for (const name of ['touchend', 'touchcancel']) element.addEventListener(name, () => touch.abort(), { signal })
}
