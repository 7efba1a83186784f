import { type MouseEvent, type ReactNode, useCallback, useState } from 'react'
import { MoreIcon } from '../lazy-icons.tsx'
import { Menu, type MenuItem } from './menu.tsx'

/** A button that opens a menu below itself. */
export function MenuButton({ label, entries }: { label: string; entries: readonly MenuItem[] }): ReactNode {
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
        className="icon-button"
        aria-label={label}
        title={label}
        aria-haspopup="menu"
        aria-expanded={point !== null}
        onClick={toggle}
      >
        <MoreIcon />
      </button>
      {point && <Menu label={label} point={point} entries={entries} onClose={close} />}
    </>
  )
}
