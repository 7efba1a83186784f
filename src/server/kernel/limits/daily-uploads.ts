import type { PersonLimit } from '../../../shared/protocol/define.ts'
import type { UserId } from '../../../shared/protocol/ids.ts'
import type { Charge } from './person-limiters.ts'

const DAY_MS = 24 * 60 * 60_000
/** Room for households and mobile networks, whose users share an address. */
const USERS_PER_ADDRESS = 4
/** Room for uploads that are cancelled or refused, and begun again. */
const RECEIVED_PER_STORED = 4

interface UploadConfig {
  uploadBytesPerDay: number
}
interface DailyUploadLimits {
  ofUser: PersonLimit
  ofAddress: PersonLimit
  receivedOfUser: PersonLimit
  receivedOfAddress: PersonLimit
}

const limitsByConfig = new WeakMap<UploadConfig, DailyUploadLimits>()

/**
 * The bytes that one user and one address store by uploads in a day, of all features together, and those that are received
 * on the disk for it.
 */
export function dailyUploadLimits(config: UploadConfig): DailyUploadLimits {
  const existing = limitsByConfig.get(config)
  if (existing) return existing
  const points = config.uploadBytesPerDay
  const ofDay = (times: number): PersonLimit => ({ points: times * points, perMs: DAY_MS })
  const limits = {
    ofUser: ofDay(1),
    ofAddress: ofDay(USERS_PER_ADDRESS),
    receivedOfUser: ofDay(RECEIVED_PER_STORED),
    receivedOfAddress: ofDay(RECEIVED_PER_STORED * USERS_PER_ADDRESS),
  }
  limitsByConfig.set(config, limits)
  return limits
}

/** What an upload costs when it begins, stored in the end or not. @param sender `address`: null when it is unknown */
export function receivedCharges(
  config: UploadConfig,
  { userId, address }: { userId: UserId; address: string | null },
  sizeBytes: number,
): Charge[] {
  const { receivedOfUser, receivedOfAddress } = dailyUploadLimits(config)
  const ofUser = { limit: receivedOfUser, key: userId, points: sizeBytes }
  return address === null ? [ofUser] : [ofUser, { limit: receivedOfAddress, key: address, points: sizeBytes }]
}
