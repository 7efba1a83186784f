import { describe, expect, it } from 'vitest'
import type { Role } from '../../../shared/accounts/protocol.ts'
import type { Reader } from '../../kernel/database/read.ts'
import type { ProfilePart, ProfilePartInput } from '../../model/profiles/queries.ts'
import { readProfileParts } from './profile-parts.ts'

const logPart: ProfilePart = () => ({ actions: [{ type: 'ban', targetUsername: 'Can', timestamp: 1 }] })
const roomsPart: ProfilePart = () => ({ createdRooms: [] })
const read = (role: Role, parts: ProfilePart[]) => {
  const input = { actor: { role } } as ProfilePartInput // the parts read nothing else
  return readProfileParts({} as Reader, input, parts) // they read no rows
}

describe('the parts of a profile', () => {
  it.each(['guest', 'member'] as const)('[PROF-41] have no actions for a viewer of the role %s', (role) => {
    expect(read(role, [logPart, roomsPart])).toEqual({ createdRooms: [] })
  })

  it('[PROF-41] have the actions of a feature for root admins', () => {
    expect(read('rootadmin', [logPart, roomsPart])).toMatchObject({ createdRooms: [], actions: [{ type: 'ban' }] })
    expect(read('rootadmin', [roomsPart])).toEqual({ createdRooms: [] })
  })
})
