import type { ReactNode } from 'react'
import type { Person, PublicProfile } from '../../../shared/accounts/protocol.ts'
import { MenuButton } from '../../core/ui/menu/menu-button.tsx'

/** The known data of the person. */
type PersonMenuTarget = Person & Partial<Pick<PublicProfile, 'isBanned' | 'mutedIn' | 'status'>>

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
  import.meta.glob<readonly PersonMenuEntry[]>('../../{core,model,features,page}/*/person-menu-entries.ts', {
    eager: true,
    import: 'personMenuEntries',
  }),
)
  .flat()
  .sort((a, b) => a.order - b.order)

/** A button with the menu of actions on a person. */
export function PersonMenu({ person }: { person: PersonMenuTarget }): ReactNode {
  const entries = allEntries
    .filter((entry) => entry.isAvailable?.(person) ?? true)
    .map((entry) => ({ ...entry, run: () => entry.run(person) }))
  return <MenuButton label="Diğer işlemler" entries={entries} />
}
