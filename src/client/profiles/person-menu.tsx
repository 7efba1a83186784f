import { type MouseEvent, type ReactNode, useCallback, useState } from 'react'
import type { Person, PublicProfile } from '../../shared/accounts/protocol.ts'
import { Menu } from '../ui/menu/menu.tsx'
import { MoreIcon } from './icons.tsx'

/** The known data of the person. */
type PersonMenuTarget = Person & Partial<Pick<PublicProfile, 'isBanned' | 'status'>>

/** An action on a person. A feature's `person-menu-entries.ts` exports them as `personMenuEntries`. */
export interface PersonMenuEntry {
  /** The entries are shown in this order. */
  order: number
  label: string
  isDestructive?: boolean
  /** Only hides the entry: the server checks access itself. Absent: always available. */
  isAvailable?(person: PersonMenuTarget): boolean
  run(person: PersonMenuTarget): void
}

const allEntries = Object.values(
  import.meta.glob<readonly PersonMenuEntry[]>('../*/person-menu-entries.ts', {
    eager: true,
    import: 'personMenuEntries',
  }),
)
  .flat()
  .sort((a, b) => a.order - b.order)

/** A button with the menu of actions on a person. */
export function PersonMenu({ person }: { person: PersonMenuTarget }): ReactNode {
  const [point, setPoint] = useState<{ x: number; y: number } | null>(null)
  const close = useCallback(() => setPoint(null), [])
  const entries = allEntries
    .filter((entry) => entry.isAvailable?.(person) ?? true)
    .map((entry) => ({ ...entry, run: () => entry.run(person) }))

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
