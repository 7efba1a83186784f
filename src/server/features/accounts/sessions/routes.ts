import { MAX_SESSIONS, type OwnSession, routes } from '../../../../shared/accounts/sessions-protocol.ts'
import type { SessionId, UserId } from '../../../../shared/protocol/ids.ts'
import type { AppContext } from '../../../kernel/app-context.ts'
import type { Actor } from '../../../kernel/database/transaction.ts'
import type { NodeApp } from '../../../kernel/http/node-app.ts'
import { registerRoute } from '../../../kernel/http/route.ts'
import { query } from '../../../model/schema/query.ts'
import { UNKNOWN_DEVICE } from './device.ts'
import { endOtherSessions, endOwnSession } from './end-own-sessions.ts'

const sessionsForList = query<{ userId: UserId; currentId: SessionId; limit: number }>()((db, p) =>
  db
    .selectFrom('session')
    .select(['id', 'device', 'platform', 'region', 'createdAt', 'lastSeenAt'])
    .where('userId', '=', p('userId'))
    .orderBy((eb) => eb('id', '=', p('currentId')), 'desc')
    .orderBy('lastSeenAt', 'desc')
    .orderBy('id')
    .limit(p('limit')),
)

/** `/api/users/sessions`: lists and ends the actor's sessions. */
export function sessionRoutes(app: NodeApp, appContext: AppContext): void {
  registerRoute(app, appContext, routes.sessions, ({ actor }) => ({
    success: true as const,
    sessions: listSessions(appContext, actor),
  }))
  registerRoute(app, appContext, routes.endSession, ({ actor, input, clientId }) =>
    appContext.execute(endOwnSession, actor, input, { clientId }),
  )
  registerRoute(app, appContext, routes.endOtherSessions, ({ actor, clientId }) =>
    appContext.execute(endOtherSessions, actor, {}, { clientId }),
  )
}

/** The actor's sessions: the current one first, then by last use. `isConnected` is null where this region cannot know. */
function listSessions({ reader, presence, config }: AppContext, { userId, sessionId }: Actor): OwnSession[] {
  const connectedSessionIds = new Set(presence.connectionsOf(userId).map(({ identity }) => identity?.viewer.sessionId))
  // Other regions report connections by user, not by session.
  const isConnectedElsewhere = presence.otherRegionsOf(userId).length > 0 ? null : false
  const rows = reader.all(sessionsForList, { userId, currentId: sessionId, limit: MAX_SESSIONS })
  return rows.map(({ device, region, ...row }) => ({
    ...row,
    device: device ?? UNKNOWN_DEVICE,
    // A single-node site has one region, so showing it says nothing.
    region: config.litefs ? region : null,
    isCurrent: row.id === sessionId,
    isConnected: connectedSessionIds.has(row.id) || isConnectedElsewhere,
  }))
}
