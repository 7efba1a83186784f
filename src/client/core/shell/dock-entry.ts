import type { ComponentType } from 'react'
import type { RoomPageProps } from '../../../shared/rooms/page-props.ts'

/** The page's data for the dock of small screens. */
export type DockProps = Pick<RoomPageProps, 'total' | 'roomCount'>

/** A button of the dock. */
export interface DockEntry {
  /** The buttons are shown in this order. */
  order: number
  component: ComponentType<DockProps>
}
