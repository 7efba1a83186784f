import { type KeyboardEvent, type ReactNode, useEffect, useLayoutEffect, useRef } from 'react'
import { placeMenu } from './place-menu.ts'
import './menu.css'

export interface MenuItem {
  label: string
  /** It takes something away from somebody. */
  isDestructive?: boolean
  run(): void
}

interface MenuProps {
  label: string
  /** Where it was asked for, in the window. */
  point: { x: number; y: number }
  entries: readonly MenuItem[]
  onClose: () => void
}

/** A menu after the ARIA pattern: arrows, Home and End move, Esc and Tab close and give the focus back. */
export function Menu({ label, point, entries, onClose }: MenuProps): ReactNode {
  const menu = useRef<HTMLDivElement>(null)
  useOpenAtPoint(menu, point)
  useDismissMenu(onClose)

  const moveBy = (event: KeyboardEvent): void => {
    const items = [...(menu.current?.querySelectorAll<HTMLElement>('[role=menuitem]') ?? [])]
    const at = items.indexOf(document.activeElement as HTMLElement) // -1 where the focus is elsewhere
    const next = { ArrowDown: at + 1, ArrowUp: at - 1, Home: 0, End: -1 }[event.key]
    if (next !== undefined) items.at(next % items.length)?.focus()
    if (event.key === 'Tab' || event.key === 'Escape') onClose()
    if (next !== undefined || event.key === 'Tab' || event.key === 'Escape') event.preventDefault()
  }

  return (
    <div ref={menu} className="menu" role="menu" aria-label={label} tabIndex={-1} popover="manual" onKeyDown={moveBy}>
      {entries.map(({ label: name, isDestructive, run }) => (
        <button
          key={name}
          type="button"
          role="menuitem"
          tabIndex={-1}
          className={isDestructive ? 'menu-item menu-item--destructive' : 'menu-item'}
          onClick={() => {
            // First the focus goes back, so that what opens now can give it back there, too.
            onClose()
            run()
          }}
        >
          {name}
        </button>
      ))}
    </div>
  )
}

function useOpenAtPoint(menu: { current: HTMLDivElement | null }, point: { x: number; y: number }): void {
  useLayoutEffect(() => {
    const { current } = menu
    if (!current) return
    const before = document.activeElement
    if ('popover' in current) current.showPopover()
    const { x, y } = placeMenu(point, sizeOf(current), {
      width: document.documentElement.clientWidth,
      height: document.documentElement.clientHeight,
    })
    current.style.left = `${x}px`
    current.style.top = `${y}px`
    current.querySelector<HTMLElement>('[role=menuitem]')?.focus({ preventScroll: true })
    return () => {
      if (before instanceof HTMLElement && current.contains(document.activeElement))
        before.focus({ preventScroll: true })
    }
  }, [menu, point])
}

/** Without what its coming in scales. */
function sizeOf({ offsetWidth, offsetHeight }: HTMLElement): { width: number; height: number } {
  return { width: offsetWidth, height: offsetHeight }
}

/** Any click closes it, and so does whatever moves the page under it. */
function useDismissMenu(onClose: () => void): void {
  useEffect(() => {
    const ended = new AbortController()
    const { signal } = ended
    for (const name of ['click', 'contextmenu', 'meydan:navigated'])
      document.addEventListener(name, onClose, { signal })
    // Where the right button opens the menu when it is pressed, not when it is let go, this tells of the letting go.
    document.addEventListener('auxclick', ({ button }) => button !== 2 && onClose(), { signal })
    for (const name of ['resize', 'blur']) window.addEventListener(name, onClose, { signal })
    return () => ended.abort()
  }, [onClose])
}
