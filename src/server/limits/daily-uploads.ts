import type { PersonLimit } from '../../shared/protocol/define.ts'
import type { Settings } from '../settings.ts'

const DAY_MS = 24 * 60 * 60_000
/** Room for households and mobile networks, whose users share an address. */
const USERS_PER_ADDRESS = 4

type UploadSettings = Pick<Settings, 'uploadBytesPerDay'>
interface DailyUploadLimits {
  ofUser: PersonLimit
  ofAddress: PersonLimit
}

const limitsBySettings = new WeakMap<UploadSettings, DailyUploadLimits>()

/** The bytes that one user and one address upload in a day, of all features together. */
export function dailyUploadLimits(settings: UploadSettings): DailyUploadLimits {
  const existing = limitsBySettings.get(settings)
  if (existing) return existing
  const points = settings.uploadBytesPerDay
  const limits = {
    ofUser: { points, perMs: DAY_MS },
    ofAddress: { points: USERS_PER_ADDRESS * points, perMs: DAY_MS },
  }
  limitsBySettings.set(settings, limits)
  return limits
}
