import { matchesFilter, type PeopleFilter } from '../../../shared/presence/rules.ts'
import { PagedPeople, type PeoplePage, type PeopleSource } from './paged-people.ts'

/** The server side of a search. */
export interface UserSearchSource {
  /** Fetches the page after the previous one's `next`; null when the request failed. */
  fetchPage(filter: PeopleFilter, after: string | undefined): Promise<PeoplePage | null>
  /** The server's order of names. */
  compareNames(a: string, b: string): number
}

/** A search for people on the server, kept current by events. */
export class UserSearch extends PagedPeople {
  private readonly searchSource: UserSearchSource
  private isActive = false

  constructor(finder: UserSearchSource) {
    super(emptySource(finder))
    this.searchSource = finder
  }

  /** Starts a search. */
  search(filter: PeopleFilter): void {
    this.isActive = true
    this.reset(filteredSource(this.searchSource, filter))
    void this.loadRows(0, 1)
  }

  /** Repeats the search; the shown rows stay until new ones arrive. */
  refresh(): void {
    if (!this.isActive) return
    this.markStale()
    void this.loadRows(0, 1)
  }

  /** Ends the search; changes are ignored. */
  stop(): void {
    this.isActive = false
    this.detach(emptySource(this.searchSource))
  }
}

function filteredSource({ fetchPage, compareNames }: UserSearchSource, filter: PeopleFilter): PeopleSource {
  const fitsName = matchesFilter({ search: filter.search })
  return {
    fetchPage: (after) => fetchPage(filter, after),
    compareNames: compareNames,
    matches: matchesFilter(filter),
    mayHaveContained: (username) => fitsName({ username, gender: null }) && (filter.gender ? null : true),
    isUnfiltered: false,
  }
}

function emptySource({ compareNames }: UserSearchSource): PeopleSource {
  return {
    fetchPage: async () => null,
    compareNames: compareNames,
    matches: () => false,
    mayHaveContained: () => false,
    isUnfiltered: false,
  }
}
