/** The query parameter of a page's URL that names the open profile. */
export const PROFILE_PARAMETER = 'profil'

/** The path of the present page with this user's profile open. */
export function profilePath(username: string): string {
  return `${location.pathname}?${new URLSearchParams({ [PROFILE_PARAMETER]: username })}`
}

/** A user's profile as an address that can be shared. */
export function profileUrl(username: string): string {
  return location.origin + profilePath(username)
}

/** The user whose profile a URL with this query has open, the present one by default; null without one. */
export function linkedUsername(search = location.search): string | null {
  return new URLSearchParams(search).get(PROFILE_PARAMETER)
}
