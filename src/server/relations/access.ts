import type { UserId } from '../../shared/protocol/ids.ts'
import type { Reader } from '../database/read.ts'
import { hasBlocked } from './queries.ts'

/** Whether either of two users has blocked the other. */
export function isBlockedBetween(reader: Pick<Reader, 'get'>, oneId: UserId, otherId: UserId): boolean {
  return hasBlocked(reader, oneId, otherId) || hasBlocked(reader, otherId, oneId)
}
