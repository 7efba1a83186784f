import { type KeyboardEvent, type ReactNode, useEffect, useLayoutEffect, useRef } from 'react'
import { useCloseOnBack } from '../../navigation/use-close-on-back.ts'
import { CountBadge, type LabelBadge } from '../count-badge.tsx'
import './menu.css'

/** A menu stays this far from the edges of the window (specification 2, point 2, "Right-click menu"). */
export const MENU_MARGIN = 10

interface Size {
  width: number
  height: number
}

export interface MenuItem {
  label: string
  /** Whether the item looks dangerous. */
  isDestructive?: boolean
  badge?: LabelBadge
  /** Set for one of several choices: whether it is the present one. */
  isChecked?: boolean
  run(): void
}

interface MenuProps {
  label: string
  /** Its top left corner in the window, in pixels. */
  point: { x: number; y: number }
  entries: readonly MenuItem[]
  onClose: () => void
}

const ITEMS = '[role=menuitem], [role=menuitemradio]'

/** A menu after the ARIA pattern: arrows, Home and End move, Esc and Tab close it and return the focus. */
export function Menu({ label, point, entries, onClose }: MenuProps): ReactNode {
  const menu = useRef<HTMLDivElement>(null)
  useOpenAtPoint(menu, point)
  useDismissMenu(onClose)
  useCloseOnBack(onClose)

  const onKeyDown = (event: KeyboardEvent): void => {
    const items = [...(menu.current?.querySelectorAll<HTMLElement>(ITEMS) ?? [])]
    const at = items.indexOf(document.activeElement as HTMLElement) // -1 where the focus is elsewhere
    const next = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: -1 }[event.key]
    if (next !== undefined) items.at(next % items.length)?.focus()
    if (event.key === 'Tab' || event.key === 'Escape') onClose()
    if (next !== undefined || event.key === 'Tab' || event.key === 'Escape') event.preventDefault()
  }

  return (
    <div
      ref={menu}
      className="menu"
      role="menu"
      aria-label={label}
      tabIndex={-1}
      popover="manual"
      onKeyDown={onKeyDown}
    >
      {entries.map(({ label: name, isDestructive, isChecked, badge, run }) => (
        <button
          key={name}
          type="button"
          {...(isChecked === undefined ? { role: 'menuitem' } : { role: 'menuitemradio', 'aria-checked': isChecked })}
          tabIndex={-1}
          className={isDestructive ? 'danger' : undefined}
          onClick={() => {
            // Closed first: an overlay that opens now can return the focus to the menu's opener.
            onClose()
            run()
          }}
        >
          {name}
          {badge && <CountBadge badge={badge} />}
        </button>
      ))}
    </div>
  )
}

function useOpenAtPoint(menu: { current: HTMLDivElement | null }, point: { x: number; y: number }): void {
  useLayoutEffect(() => {
    const { current } = menu
    if (!current) return
    const opener = document.activeElement
    if ('popover' in current) current.showPopover()
    const { x, y } = placeMenu(point, sizeOf(current), {
      width: document.documentElement.clientWidth,
      height: document.documentElement.clientHeight,
    })
    current.style.left = `${x}px`
    current.style.top = `${y}px`
    current.querySelector<HTMLElement>(ITEMS)?.focus({ preventScroll: true })
    return () => {
      if (opener instanceof HTMLElement && current.contains(document.activeElement))
        opener.focus({ preventScroll: true })
    }
  }, [menu, point])
}

/** The size without the scale of the opening animation. */
function sizeOf({ offsetWidth, offsetHeight }: HTMLElement): { width: number; height: number } {
  return { width: offsetWidth, height: offsetHeight }
}

/** Closes the menu on any click, on a navigation, on a resize and when the window loses the focus. */
function useDismissMenu(onClose: () => void): void {
  useEffect(() => {
    const listeners = new AbortController()
    const { signal } = listeners
    for (const name of ['click', 'contextmenu', 'meydan:navigated'])
      document.addEventListener(name, onClose, { signal })
    // On some systems `contextmenu` fires when the right button is pressed; its release must not close the menu.
    document.addEventListener('auxclick', ({ button }) => button !== 2 && onClose(), { signal })
    for (const name of ['resize', 'blur']) window.addEventListener(name, onClose, { signal })
    return () => listeners.abort()
  }, [onClose])
}

/** The top left corner of a menu: at the point, moved as far as needed to stay inside the window. In pixels. */
export function placeMenu(point: { x: number; y: number }, menu: Size, window: Size): { x: number; y: number } {
  return {
    x: Math.max(MENU_MARGIN, Math.min(point.x, window.width - menu.width - MENU_MARGIN)),
    y: Math.max(MENU_MARGIN, Math.min(point.y, window.height - menu.height - MENU_MARGIN)),
  }
}
