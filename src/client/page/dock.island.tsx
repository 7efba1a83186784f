import type { ReactNode } from 'react'
import type { DockProps } from '../core/shell/dock-entry.ts'
import { dockEntries } from './features.ts'
import './dock.css'
import '../core/styles/forced-colors.lazy.css'
import '../core/styles/print.lazy.css'

/** The dock of small screens: buttons for the panels that a wide screen shows beside the thread. */
export function Dock(page: DockProps): ReactNode {
  return (
    <nav className="dock" aria-label="Hızlı erişim">
      {dockEntries.map(({ order, component: DockButton }) => (
        <DockButton key={order} {...page} />
      ))}
    </nav>
  )
}
