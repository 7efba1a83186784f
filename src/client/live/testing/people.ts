import type { Person } from '../../../shared/accounts/protocol.ts'

/** A guest who is online. */
export function person(id: number, username: string): Person {
  return {
    id,
    username,
    gender: null,
    avatarUrl: null,
    isGuest: true,
    isOnline: true,
    role: 'guest',
    premiumStatus: 'guest',
    lastLoginPlatform: 'web',
  }
}

export const ada = person(1, 'ada')
