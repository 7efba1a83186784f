import type { ComponentType } from 'react'
import type { RoomId } from '../../../shared/protocol/ids.ts'
import { EntryList } from '../../core/shell/entry-list.ts'
import type { RoomDetails } from './fetch-room.ts'

export interface RoomManagementSectionProps {
  roomId: RoomId
  /** The room as last loaded; loaded again when an event changes it. */
  details: RoomDetails
  /** Loads the room again, after a change that no event follows. The present details stay until then. */
  reload: () => void
}

/** What a room's management is opened for. `owner` includes root admins. */
export type ManagementRole = 'owner' | 'admin'

/** A section of 'Oda Yönetimi': a row of the dialog, which opens the component in the dialog. */
export interface RoomManagementSection {
  /** The sections are shown in this order. */
  order: number
  label: string
  icon: ComponentType
  /** `owner`: not for the room's admins. It only hides the section: the server checks access itself. */
  access: 'owner' | 'staff'
  /** The present value, shown beside the label. */
  summarise?(details: RoomDetails): string
  /** Loads the code when the section is first opened; always the same function. */
  load: () => Promise<{ component: ComponentType<RoomManagementSectionProps> }>
}

/** The sections of all features. */
export const roomManagementSections = new EntryList<RoomManagementSection>()

/** The sections for a role, in order. */
export function managementSectionsFor(role: ManagementRole | null): readonly RoomManagementSection[] {
  if (role === null) return []
  return roomManagementSections.all.filter(({ access }) => access === 'staff' || role === 'owner')
}
