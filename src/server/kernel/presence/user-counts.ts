import type { Person } from '../../../shared/accounts/protocol.ts'

/** Counts of users by kind; users without a gender count as neither female nor male. */
export interface UserCounts {
  activeUsers: number
  male: number
  female: number
  desktop: number
  mobile: number
}

export function countUsers(people: Person[]): UserCounts {
  const count = (matches: (person: Person) => boolean): number => people.filter(matches).length
  const mobile = count(({ lastLoginPlatform }) => lastLoginPlatform === 'mobile')
  return {
    activeUsers: people.length,
    male: count(({ gender }) => gender === 'male'),
    female: count(({ gender }) => gender === 'female'),
    desktop: people.length - mobile,
    mobile,
  }
}
