import type { ComponentType, ReactNode } from 'react'
import type { RoomPageProps } from '../../shared/rooms/page-props.ts'
import './dock.css'
import '../core/styles/forced-colors.later.css'
import '../core/styles/print.later.css'
import '../core/styles/targets.later.css'

/** The page's data for the dock. */
export type DockProps = Pick<RoomPageProps, 'total' | 'roomCount'>

/** A button of the dock. A feature's `dock-entries.tsx` exports them as `dockEntries`. */
export interface DockEntry {
  /** The buttons are shown in this order. */
  order: number
  component: ComponentType<DockProps>
}

const entries = Object.values(
  import.meta.glob<readonly DockEntry[]>('../**/dock-entries.tsx', { eager: true, import: 'dockEntries' }),
)
  .flat()
  .sort((a, b) => a.order - b.order)

/** The dock of small screens: buttons for the panels that a wide screen shows beside the thread. */
export function Dock(page: DockProps): ReactNode {
  return (
    <nav className="dock" aria-label="Hızlı erişim">
      {entries.map(({ order, component: DockButton }) => (
        <DockButton key={order} {...page} />
      ))}
    </nav>
  )
}
