import { MAX_SESSIONS, type OwnSession } from '../../../shared/accounts/sessions-protocol.ts'
import type { AppContext } from '../../app-context.ts'
import { query } from '../../database/query.ts'
import type { Actor } from '../../database/transact.ts'
import { UNKNOWN_DEVICE } from './device.ts'

const sessionsForList = query<{ userId: number; current: number; limit: number }>()((db, p) =>
  db
    .selectFrom('session')
    .select(['id', 'device', 'platform', 'region', 'createdAt', 'lastSeenAt'])
    .where('userId', '=', p('userId'))
    .orderBy((eb) => eb('id', '=', p('current')), 'desc')
    .orderBy('lastSeenAt', 'desc')
    .orderBy('id')
    .limit(p('limit')),
)

/** The actor's sessions, and no one else's: the asking one first, then by when they were seen last. */
export function listSessions({ reader, presence, settings }: AppContext, { userId, sessionId }: Actor): OwnSession[] {
  const connected = new Set(presence.connectionsOf(userId).map(({ identity }) => identity?.viewer.sessionId))
  // Lines of other regions are known by their person alone.
  const unlessHere = presence.otherRegionsOf(userId).length > 0 ? null : false
  const rows = reader.all(sessionsForList, { userId, current: sessionId, limit: MAX_SESSIONS })
  return rows.map(({ device, region, ...row }) => ({
    ...row,
    device: device ?? UNKNOWN_DEVICE,
    // A site in one region alone has no other to tell it from.
    region: settings.litefs ? region : null,
    isCurrent: row.id === sessionId,
    isConnected: connected.has(row.id) || unlessHere,
  }))
}
