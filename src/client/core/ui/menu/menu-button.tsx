import { type MouseEvent, type ReactNode, useCallback, useState } from 'react'
import { MoreIcon } from '../lazy-icons.tsx'
import { Menu, type MenuItem } from './menu.tsx'

interface MenuButtonProps {
  /** The accessible name of the menu, and of a button without a text. */
  label: string
  entries: readonly MenuItem[]
  className?: string
  /** The content of the button; three dots by default. */
  children?: ReactNode
}

/** A button that opens a menu below itself. */
export function MenuButton({ label, entries, className = 'icon-button', children }: MenuButtonProps): ReactNode {
  const [point, setPoint] = useState<{ x: number; y: number } | null>(null)
  const close = useCallback(() => setPoint(null), [])
  const toggle = (event: MouseEvent<HTMLElement>): void => {
    // Any click on the document closes a menu; this one must not.
    event.stopPropagation()
    const { left, bottom } = event.currentTarget.getBoundingClientRect()
    setPoint(point ? null : { x: left, y: bottom + 4 })
  }
  return (
    <>
      <button
        type="button"
        className={className}
        aria-label={children ? undefined : label}
        title={children ? undefined : label}
        aria-haspopup="menu"
        aria-expanded={point !== null}
        onClick={toggle}
      >
        {children ?? <MoreIcon />}
      </button>
      {point && <Menu label={label} point={point} entries={entries} onClose={close} />}
    </>
  )
}
