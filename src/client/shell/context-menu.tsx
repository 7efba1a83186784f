import type { ReactNode } from 'react'
import { flushSync } from 'react-dom'
import { signal } from '../signal.ts'
import { Menu } from '../ui/menu.tsx'
import { useSignal } from '../use-signal.ts'
import { renderBeside } from './beside.ts'
import { type MenuEntry, menuEntries } from './menu-entries.ts'

interface ContextMenu {
  point: { x: number; y: number }
  entries: MenuEntry[]
}

const shown = signal<ContextMenu | null>(null)

/** Opens the menu there, in place of one that is open; nothing opens where there is nothing to offer. */
export function showContextMenu(point: ContextMenu['point']): void {
  close()
  const entries = menuEntries()
  if (entries.length > 0) shown.value = { point, entries }
}

function ContextMenuPlace(): ReactNode {
  const menu = useSignal(shown, null)
  return menu && <Menu label="Menü" {...menu} onClose={close} />
}

/** At once, so that the focus is back before anything else happens. */
function close(): void {
  if (!shown.peek()) return
  flushSync(() => {
    shown.value = null
  })
}

renderBeside('context-menu', <ContextMenuPlace />)
