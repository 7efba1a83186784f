import { afterEach, describe, expect, it } from 'vitest'
import type { Person } from '../../../shared/accounts/protocol.ts'
import { CLEAR_ROOM_LABEL } from '../../../shared/moderation/rules.ts'
import { session } from '../../core/session/session.ts'
import { managementRoleIn } from '../../features/rooms/use-room-details.ts'
import type { RoomDetails } from './fetch-room.ts'
import { managementSectionsFor } from './room-management-section.ts'
import '../../page/features.ts'

const OWNER = 1
const ADMIN = 2
const details = { room: { ownerId: OWNER, Admins: [{ id: ADMIN }] } } as RoomDetails // what the role depends on

function roleOf(id: number, role: Person['role'] = 'member') {
  session.user = { id, role } as Person // what the role depends on
  return managementRoleIn(details)
}

afterEach(() => {
  session.user = null
})

describe("sections of 'Oda Yönetimi'", () => {
  it('[MANAGE-01] are for the owner, root admins and, unless they are the owner’s, admins', () => {
    expect([roleOf(OWNER), roleOf(9, 'rootadmin'), roleOf(ADMIN)]).toEqual(['owner', 'owner', 'admin'])
    expect([roleOf(9), roleOf(9, 'guest')]).toEqual([null, null])
    expect(managementSectionsFor(null)).toEqual([])
    const [ofOwner, ofAdmin] = [managementSectionsFor('owner'), managementSectionsFor('admin')]
    expect(ofOwner.map(({ label }) => label)).toContain(CLEAR_ROOM_LABEL)
    expect(ofAdmin).toEqual(ofOwner.filter(({ access }) => access === 'staff'))
  })

  it('[MANAGE-01] are nobody’s in a room without an owner, but root admins’', () => {
    const ownerless = { room: { ownerId: null, Admins: [] as object[] } } as RoomDetails
    session.user = null
    expect(managementRoleIn(ownerless)).toBeNull()
  })
})
