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

/** The user whose profile the present URL has open; null without one. */
export function linkedUsername(): string | null {
  return new URLSearchParams(location.search).get(PROFILE_PARAMETER)
}
