import { GUESTS_CANNOT_WRITE_TEXT } from '../../../shared/disk-space/texts.ts'
import type { UserId } from '../../../shared/protocol/ids.ts'
import { type Refusal, refuse } from '../../../shared/protocol/refusals.ts'
import type { CommandEnvelope } from '../database/commands/command-envelope.ts'
import type { CommandRegistry } from '../database/commands/command-registry.ts'
import { query } from '../database/query.ts'
import type { Reader } from '../database/read.ts'
import type { DiskWatch } from './disk-watch.ts'

const roleOfUser = query<{ userId: UserId }>()((db, p) =>
  db.selectFrom('user').select('role').where('id', '=', p('userId')),
)

/** Refuses a message of a guest while the disk of this region, the primary, is nearly full. */
export function checkGuestMessage(
  { byName }: Pick<CommandRegistry, 'byName'>,
  { level }: Pick<DiskWatch, 'level'>,
  reader: Pick<Reader, 'get'>,
  { command, actor }: Pick<CommandEnvelope, 'command' | 'actor'>,
): Refusal | null {
  if (level !== 'noGuestMessages' || !actor || !byName.get(command)?.storesMessage) return null
  const isGuest = reader.get(roleOfUser, { userId: actor.userId })?.role === 'guest'
  return isGuest ? refuse('StorageFull', { message: GUESTS_CANNOT_WRITE_TEXT }) : null
}
