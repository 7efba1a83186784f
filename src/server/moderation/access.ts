import { createHmac } from 'node:crypto'
import type { Role } from '../../shared/accounts/protocol.ts'
import type { BanReason } from '../../shared/moderation/protocol.ts'
import { formatBanNotice } from '../../shared/moderation/rules.ts'
import type { UserId } from '../../shared/protocol/ids.ts'
import { type Refusal, refuse } from '../../shared/protocol/refusals.ts'
import type { AppContext } from '../app-context.ts'
import { addressGroup } from '../http/client-address.ts'
import { type GuestFingerprint, getActiveBan, getMaintenanceSince } from './queries.ts'

/** A door is noted anew this often while it is used. */
const FINGERPRINT_TOUCH_INTERVAL_MS = 60 * 60_000

/** The no that a banned person gets, with why and until when. */
export function toBanRefusal({ reason, endsAt }: { reason: BanReason; endsAt: number | null }): Refusal {
  return refuse('Banned', { message: formatBanNotice({ banReason: reason, endsAt }) })
}

/** The refusal of somebody whose account is banned now; null where it is not. */
export function findBanRefusal(
  { reader, clock }: Pick<AppContext, 'reader' | 'clock'>,
  userId: UserId,
): Refusal | null {
  const ban = getActiveBan(reader, userId, clock())
  return ban ? toBanRefusal(ban) : null
}

/**
 * By what a guest is known again. They are hashed with a key of the site: from the rows alone nobody can work out who
 * came from where, and they are shown nowhere.
 * @param address null where it is not the guest's own (http/client-address.ts, `ownAddress`)
 */
export function fingerprintOf(
  { keys }: Pick<AppContext, 'keys'>,
  browserId: string | null,
  address: string | null,
): GuestFingerprint {
  const mark = (kind: string, of: string) =>
    createHmac('sha256', keys.fingerprint).update(`${kind} ${of}`).digest('base64url')
  return {
    browserHash: browserId === null ? null : mark('browser', browserId),
    addressHash: address === null ? null : mark('address', addressGroup(address)),
  }
}

/** Whether the door through which a guest comes is noted, and was so not long ago. */
export function isFingerprintCurrent(
  door: { browserHash: string | null; addressHash: string | null; lastSeenAt: number } | undefined,
  { browserHash, addressHash }: GuestFingerprint,
  now: number,
): boolean {
  if (!door || now - door.lastSeenAt > FINGERPRINT_TOUCH_INTERVAL_MS) return false
  return door.browserHash === browserHash && (addressHash === null || door.addressHash === addressHash)
}

/** Whether the site is closed to this person for maintenance; root admins go on. */
export function isInMaintenanceFor({ reader }: Pick<AppContext, 'reader'>, role: Role | null): boolean {
  return role !== 'rootadmin' && getMaintenanceSince(reader) !== null
}
