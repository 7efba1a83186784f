import type { ReactNode } from 'react'
import { MenuButton } from '../../core/ui/menu/menu-button.tsx'
import { type PersonMenuTarget, personMenuEntries } from '../../model/profiles/person-menu-entry.ts'

/** A button with the menu of actions on a person. */
export function PersonMenu({ person }: { person: PersonMenuTarget }): ReactNode {
  const entries = personMenuEntries.all
    .filter((entry) => entry.isAvailable?.(person) ?? true)
    .map((entry) => ({ ...entry, run: () => entry.run(person) }))
  return <MenuButton label="Diğer işlemler" entries={entries} />
}
