import type { SessionId, UserId } from '../../../shared/protocol/ids.ts'
import type { UploadLimits } from '../config.ts'

/** Whose upload it is. `address` is the group of an address; null when it cannot be attributed to the user. */
export interface UploadOwner {
  userId: UserId
  sessionId: SessionId
  address: string | null
}

/** What the budget knows of an upload. Its bytes are those that it may get, so that it always has room to the end. */
export interface BudgetedUpload extends UploadOwner {
  sizeBytes: number
  /** Epoch milliseconds. */
  lastByteAt: number
  /** Bytes arrive, or a feature reads it. */
  isInUse: boolean
  /** A feature has stored its file. */
  isSpent: boolean
}

export const MAX_UPLOADS_PER_USER = 5
const MAX_UPLOADS_PER_ADDRESS = 60
const MAX_UPLOADS = 1_000
/** An upload without a byte for this long may be removed when its room is needed. */
const IDLE_MS = 60_000

interface Scope {
  uploads: BudgetedUpload[]
  maxBytes: number
  maxCount: number
}

/**
 * The uploads to remove so that there is room for another one; null if the room is in use. An owner with too much loses
 * uploads of its own; when all room is taken, those lose who have the most, so that who stalls takes nobody's place.
 */
export function planRoom<U extends BudgetedUpload>(
  uploads: readonly U[],
  next: UploadOwner & { sizeBytes: number },
  { userBytes, addressBytes, totalBytes }: UploadLimits,
  now: number,
): U[] | null {
  const removed = new Set<BudgetedUpload>()
  const isOfAddress = ({ address }: UploadOwner) => address !== null && address === next.address
  const scopes: Scope[] = [
    {
      uploads: uploads.filter(({ userId }) => userId === next.userId),
      maxBytes: userBytes,
      maxCount: MAX_UPLOADS_PER_USER,
    },
    { uploads: uploads.filter(isOfAddress), maxBytes: addressBytes, maxCount: MAX_UPLOADS_PER_ADDRESS },
    { uploads: [...uploads], maxBytes: totalBytes, maxCount: MAX_UPLOADS },
  ]
  for (const { uploads: all, maxBytes, maxCount } of scopes) {
    let kept = all.filter((upload) => !removed.has(upload))
    while (sumBytes(kept) + next.sizeBytes > maxBytes || kept.length >= maxCount) {
      const victim = findRemovable(kept, now)
      if (!victim) return null
      removed.add(victim)
      kept = kept.filter((upload) => upload !== victim)
    }
  }
  return uploads.filter((upload) => removed.has(upload))
}

/** A spent upload, or else the one without a byte for longest, of the owner with the most bytes. */
function findRemovable(uploads: readonly BudgetedUpload[], now: number): BudgetedUpload | undefined {
  const removable = uploads.filter(
    ({ isInUse, isSpent, lastByteAt }) => !isInUse && (isSpent || now - lastByteAt >= IDLE_MS),
  )
  const spent = removable.find(({ isSpent }) => isSpent)
  if (spent) return spent
  const ownerOf = ({ address, userId }: UploadOwner) => address ?? userId
  const bytesOf = new Map<string | UserId, number>()
  for (const upload of uploads) bytesOf.set(ownerOf(upload), (bytesOf.get(ownerOf(upload)) ?? 0) + upload.sizeBytes)
  const weight = (upload: BudgetedUpload) => bytesOf.get(ownerOf(upload)) ?? 0
  return removable.toSorted((a, b) => weight(b) - weight(a) || a.lastByteAt - b.lastByteAt)[0]
}

function sumBytes(uploads: readonly BudgetedUpload[]): number {
  return uploads.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0)
}
