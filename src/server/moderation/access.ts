import { createHmac } from 'node:crypto'
import type { Role } from '../../shared/accounts/protocol.ts'
import type { BanReason } from '../../shared/moderation/protocol.ts'
import { banNotice } from '../../shared/moderation/rules.ts'
import { type Refusal, refuse } from '../../shared/protocol/refusals.ts'
import { addressGroup } from '../http/client-address.ts'
import type { World } from '../world.ts'
import { getBan, type Marks, maintenanceSince } from './queries.ts'

/** A door is noted anew this often while it is used. */
const DOOR_NOTED_MS = 60 * 60_000

/** The no that a banned person gets, with why and until when. */
export function bannedRefusal({ reason, endsAt }: { reason: BanReason; endsAt: number | null }): Refusal {
  return refuse('Banned', { message: banNotice({ banReason: reason, endsAt }) })
}

/** The refusal of somebody whose account is banned now; null where it is not. */
export function refuseBanned({ read, clock }: Pick<World, 'read' | 'clock'>, userId: number): Refusal | null {
  const ban = getBan(read, userId, clock())
  return ban ? bannedRefusal(ban) : null
}

/**
 * By what a guest is known again. They are hashed with a key of the site: from the rows alone nobody can work out who
 * came from where, and they are shown nowhere.
 * @param address null where it is not the guest's own (http/client-address.ts, `ownAddress`)
 */
export function marksOf({ keys }: Pick<World, 'keys'>, browserId: string | null, address: string | null): Marks {
  const mark = (kind: string, of: string) =>
    createHmac('sha256', keys.marks).update(`${kind} ${of}`).digest('base64url')
  return {
    browser: browserId === null ? null : mark('browser', browserId),
    address: address === null ? null : mark('address', addressGroup(address)),
  }
}

/** Whether the door through which a guest comes is noted, and was so not long ago. */
export function isNoted(
  door: { browserMark: string | null; addressMark: string | null; notedAt: number } | undefined,
  { browser, address }: Marks,
  now: number,
): boolean {
  if (!door || now - door.notedAt > DOOR_NOTED_MS) return false
  return door.browserMark === browser && (address === null || door.addressMark === address)
}

/** Whether the site is closed to this person for maintenance; root admins go on. */
export function isClosedTo({ read }: Pick<World, 'read'>, role: Role | null): boolean {
  return role !== 'rootadmin' && maintenanceSince(read) !== null
}
