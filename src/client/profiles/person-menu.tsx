import { type MouseEvent, type ReactNode, useCallback, useState } from 'react'
import { MoreIcon } from '../people/icons.tsx'
import { Menu } from '../ui/menu/menu.tsx'
import { type PersonMenuTarget, personMenuEntries } from './person-menu-entries.ts'

/** What can be done with somebody, behind a button. */
export function PersonMenu({ person }: { person: PersonMenuTarget }): ReactNode {
  const [point, setPoint] = useState<{ x: number; y: number } | null>(null)
  const close = useCallback(() => setPoint(null), [])
  const entries = personMenuEntries
    .filter((entry) => entry.isAvailableFor(person))
    .map((entry) => ({ ...entry, run: () => entry.run(person) }))

  const toggle = (event: MouseEvent<HTMLElement>): void => {
    // Any click closes a menu, and this one would close what it opens.
    event.stopPropagation()
    const { left, bottom } = event.currentTarget.getBoundingClientRect()
    setPoint(point ? null : { x: left, y: bottom + 4 })
  }

  return (
    <>
      <button
        type="button"
        className="icon-button"
        aria-label="Diğer işlemler"
        title="Diğer işlemler"
        aria-haspopup="menu"
        aria-expanded={point !== null}
        onClick={toggle}
      >
        <MoreIcon />
      </button>
      {point && <Menu label="Diğer işlemler" point={point} entries={entries} onClose={close} />}
    </>
  )
}
