import type { Person } from '../protocol.ts'

/** A guest who is online, for tests and benchmarks. */
export function createPerson(id: number, username = `kişi${id}`, more: Partial<Person> = {}): Person {
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
    ...more,
  }
}
