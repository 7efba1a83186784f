import type { ReactNode } from 'react'
import { flushSync } from 'react-dom'
import { session } from '../core/session/session.ts'
import { shownRoom } from '../core/session/shown-room.ts'
import { contextMenuEntries } from '../core/shell/menus/menu-entries.ts'
import { signal } from '../core/signals/signal.ts'
import { useSignalValue } from '../core/signals/use-signal-value.ts'
import { Menu, type MenuItem } from '../core/ui/menu/menu.tsx'
import { mountPortal } from '../core/ui/mount-portal.ts'

interface ContextMenuState {
  point: { x: number; y: number }
  entries: readonly MenuItem[]
}

const contextMenu = signal<ContextMenuState | null>(null)

/** Opens the menu at a point of the window, in place of an open one. Without entries nothing opens. */
export function showContextMenu(point: ContextMenuState['point']): void {
  closeContextMenu()
  const entries = currentEntries()
  if (entries.length > 0) contextMenu.value = { point, entries }
}

function currentEntries(): MenuItem[] {
  if (session.token() === null) return []
  const context = { isGuest: session.isGuest(), isRootAdmin: session.isRootAdmin(), room: shownRoom.peek() }
  return contextMenuEntries(context).map((entry) => ({ ...entry, run: () => void entry.run(context) }))
}

function ContextMenuRoot(): ReactNode {
  const menu = useSignalValue(contextMenu, null)
  return menu && <Menu label="Menü" {...menu} onClose={closeContextMenu} />
}

/** Synchronous, so that the focus has returned before the next menu or overlay opens. */
function closeContextMenu(): void {
  if (!contextMenu.peek()) return
  flushSync(() => {
    contextMenu.value = null
  })
}

mountPortal('context-menu', <ContextMenuRoot />)
