import type { Gender, Person } from '../accounts/protocol.ts'
import { foldName } from '../text/turkish.ts'

/** Specification 2, point 5. */
export const GENDER_FILTER_IS_PREMIUM = "Cinsiyet filtreleme yalnızca Premium'lara özel!"

export const USERS_NOT_LOADED = 'Kullanıcılar alınırken bir hata oluştu.'

/** Names the buttons that open the list of the room's people; `count` as it is shown. */
export function roomUsersLabel(count: string): string {
  return `Odadaki kullanıcılar, ${count} kişi`
}

/** The search starts this long after the last key. */
export const USER_SEARCH_DEBOUNCE_MS = 250

/** The genders to filter by (specification 2, point 4: all, male, female). */
export type GenderFilter = Extract<Gender, 'female' | 'male'>

/** A filter of a list of users. */
export interface PeopleFilter {
  /** Part of a name; letters fold, so that `işil` finds `Işıl`. */
  search?: string | undefined
  gender?: GenderFilter | undefined
}

/** Whether this user may filter by gender: root admins and premium members may. */
export function canFilterByGender({ role, premiumStatus }: Pick<Person, 'role' | 'premiumStatus'>): boolean {
  return role === 'rootadmin' || premiumStatus === 'premium'
}

/** A predicate for a filter; folds the search once. `fold` may cache folded names. */
export function matchesFilter<P extends Pick<Person, 'username' | 'gender'>>(
  { search = '', gender }: PeopleFilter,
  fold: (person: P) => string = ({ username }) => foldName(username),
): (person: P) => boolean {
  const part = foldSearch(search)
  return (person) => (gender === undefined || person.gender === gender) && (part === '' || fold(person).includes(part))
}

/** The search term to look for in folded names. */
export function foldSearch(search: string): string {
  return foldName(search.trim())
}
