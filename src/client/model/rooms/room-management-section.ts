import type { ComponentType } from 'react'
import type { RoomId } from '../../../shared/protocol/ids.ts'
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

/**
 * A section of 'Oda Yönetimi': a row of the dialog, whose click shows the component in the dialog. A feature's
 * `room-management-sections.ts` exports them as `roomManagementSections`.
 */
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

const allSections = Object.values(
  import.meta.glob<readonly RoomManagementSection[]>('../../{core,model,features,page}/*/room-management-sections.ts', {
    eager: true,
    import: 'roomManagementSections',
  }),
)
  .flat()
  .sort((a, b) => a.order - b.order)

/** The sections for a role, in order. */
export function managementSectionsFor(role: ManagementRole | null): readonly RoomManagementSection[] {
  if (role === null) return []
  return allSections.filter(({ access }) => access === 'staff' || role === 'owner')
}
