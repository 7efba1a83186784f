import { describe, expect, it } from 'vitest'
import { type BudgetedUpload, MAX_UPLOADS_PER_USER, planRoom } from './upload-budget.ts'

const MB = 1024 * 1024
const limits = { userBytes: 250 * MB, addressBytes: 1_000 * MB, totalBytes: 2_000 * MB }
const NOW = 1_000_000
let order = 0

/** An upload that has just got a byte. */
function upload(userId: number, megabytes: number, changes: Partial<BudgetedUpload> = {}): BudgetedUpload {
  const owner = { userId, sessionId: userId, address: `10.0.0.${userId}` }
  const state = { lastByteAt: NOW - 1, isInUse: false, isSpent: false }
  return { ...owner, ...state, sizeBytes: megabytes * MB, ...changes }
}
const idle = (): Partial<BudgetedUpload> => ({ lastByteAt: NOW - 60_000 - ++order })
const next = (userId: number, megabytes: number) => upload(userId, megabytes)
const plan = (uploads: BudgetedUpload[], wanted: BudgetedUpload) => planRoom(uploads, wanted, limits, NOW)

describe('room for another upload', () => {
  it('[MEDIA-47] of a user is 250 MB and five uploads, in use or not', () => {
    expect(plan([upload(1, 150)], next(1, 100))).toEqual([])
    expect(plan([upload(1, 151)], next(1, 100))).toBeNull()
    const five = Array.from({ length: MAX_UPLOADS_PER_USER }, () => upload(1, 1))
    expect(plan(five, next(1, 1))).toBeNull()
    expect(plan(five, next(2, 100))).toEqual([])
  })

  it('[MEDIA-47] is made by a spent upload first, then by the one that is idle for longest', () => {
    const [spent, older, newer] = [upload(1, 90, { isSpent: true }), upload(1, 80, idle()), upload(1, 80)]
    newer.lastByteAt = NOW - 59_999
    older.lastByteAt = NOW - 70_000
    expect(plan([newer, older, spent], next(1, 80))).toEqual([spent])
    expect(plan([newer, older, spent], next(1, 100))).toEqual([older, spent])
    expect(plan([newer, older], next(1, 100))).toEqual([older])
    expect(plan([newer, { ...older, isInUse: true }], next(1, 100))).toBeNull()
  })

  it('[MEDIA-47] of an address is 1,000 MB and 60 uploads, whose users take turns', () => {
    const address = '10.0.0.9'
    const shared = Array.from({ length: 10 }, (_, index) => upload(100 + index, 100, { address }))
    expect(plan(shared, { ...next(1, 1), address })).toBeNull()
    expect(plan(shared, next(1, 100))).toEqual([])
    const small = Array.from({ length: 60 }, (_, index) => upload(100 + index, 1, { address }))
    expect(plan(small, { ...next(1, 1), address })).toBeNull()
    // Without an address there is none to count.
    expect(
      plan(
        small.map((one) => ({ ...one, address: null })),
        { ...next(1, 1), address: null },
      ),
    ).toEqual([])
  })

  it('[MEDIA-47] in all is taken from who has most and stalls, never from a bystander', () => {
    const bystanders = [upload(1, 20, { lastByteAt: 0 }), upload(2, 20, { lastByteAt: 0 })]
    const hoard = Array.from({ length: 10 }, (_, index) => upload(30 + index, 98, { address: 'a', ...idle() }))
    const other = Array.from({ length: 10 }, (_, index) => upload(50 + index, 97, { address: 'b' }))
    const removed = plan([...bystanders, ...hoard, ...other], next(3, 100))
    expect(removed).toEqual([hoard.at(-1)])
    const all = [...bystanders, ...hoard, ...other].map((one) => ({ ...one, isInUse: true }))
    expect(plan(all, next(3, 100))).toBeNull()
  })
})
