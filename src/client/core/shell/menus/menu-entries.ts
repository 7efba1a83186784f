import type { ComponentType } from 'react'
import type { ShownRoom } from '../../session/shown-room.ts'
import type { LabelBadge } from '../../ui/count-badge.tsx'
import { EntryList } from '../entry-list.ts'

/** The state that an entry may depend on. */
export interface MenuContext {
  isGuest: boolean
  isRootAdmin: boolean
  /** The shown room; null before its state has loaded. */
  room: ShownRoom | null
}

interface AnyMenuEntry {
  /** The entries of a menu are shown in this order. */
  order: number
  label: string
  isDestructive?: boolean
  badge?: LabelBadge
  /** Only hides the entry: the server checks access itself. Absent: always available. */
  isAvailable?(context: MenuContext): boolean
  /** May return a promise; clicks are ignored until it resolves. */
  run(context: MenuContext): unknown
}

/** An entry of the side menu or of the settings sheet. */
export interface RowMenuEntry extends AnyMenuEntry {
  menu: 'side' | 'settings'
  icon: ComponentType
}

/** An entry of the right-click menu, which has no icons. */
interface ContextMenuEntry extends AnyMenuEntry {
  menu: 'context'
}

export type MenuEntry = RowMenuEntry | ContextMenuEntry

/** Those of all features. */
export const menuEntries = new EntryList<MenuEntry>()

/** The available entries of the side menu or the settings sheet. */
export function rowMenuEntries(menu: RowMenuEntry['menu'], context: MenuContext): RowMenuEntry[] {
  return menuEntries.all
    .filter((entry): entry is RowMenuEntry => entry.menu === menu)
    .filter((entry) => isEntryAvailable(entry, context))
}

/** The available entries of the right-click menu. */
export function contextMenuEntries(context: MenuContext): ContextMenuEntry[] {
  return menuEntries.all
    .filter((entry): entry is ContextMenuEntry => entry.menu === 'context')
    .filter((entry) => isEntryAvailable(entry, context))
}

function isEntryAvailable(entry: MenuEntry, context: MenuContext): boolean {
  return entry.isAvailable?.(context) ?? true
}
