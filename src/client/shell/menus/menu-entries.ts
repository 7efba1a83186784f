import type { ComponentType } from 'react'
import type { ShownRoom } from '../../rooms/shown-room.ts'

/** What an entry may depend on. */
export interface MenuContext {
  isGuest: boolean
  isRootAdmin: boolean
  /** The room that is shown; null before its state is there. */
  room: ShownRoom | null
}

interface AnyMenuEntry {
  /** The entries of a menu are shown in this order. */
  order: number
  label: string
  isDestructive?: boolean
  /** Only what is shown: the server decides for itself. Absent: always. */
  isAvailable?(context: MenuContext): boolean
  /** A promise is waited for: until then a second press does nothing. */
  run(context: MenuContext): unknown
}

/** An entry of the side menu or of the settings sheet. */
export interface RowMenuEntry extends AnyMenuEntry {
  menu: 'side' | 'settings'
  icon: ComponentType
}

/** An entry of the right-click menu, which has no icons. */
export interface ContextMenuEntry extends AnyMenuEntry {
  menu: 'context'
}

/** A feature's `menu-entries.ts` exports these as `menuEntries`. */
export type MenuEntry = RowMenuEntry | ContextMenuEntry

const allEntries = Object.values(
  import.meta.glob<readonly MenuEntry[]>('../../*/menu-entries.ts', { eager: true, import: 'menuEntries' }),
)
  .flat()
  .sort((a, b) => a.order - b.order)

/** What the side menu or the settings sheet offers now. */
export function rowMenuEntries(menu: RowMenuEntry['menu'], context: MenuContext): RowMenuEntry[] {
  return allEntries
    .filter((entry): entry is RowMenuEntry => entry.menu === menu)
    .filter((entry) => isOffered(entry, context))
}

/** What the right-click menu offers now. */
export function contextMenuEntries(context: MenuContext): ContextMenuEntry[] {
  return allEntries
    .filter((entry): entry is ContextMenuEntry => entry.menu === 'context')
    .filter((entry) => isOffered(entry, context))
}

function isOffered(entry: MenuEntry, context: MenuContext): boolean {
  return entry.isAvailable?.(context) ?? true
}
