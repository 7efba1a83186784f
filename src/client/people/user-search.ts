import { matchesFilter, type PeopleFilter } from '../../shared/presence/rules.ts'
import { PagedPeople, type PeoplePage, type PeopleSource } from './paged-people.ts'

/** Where people are looked for. */
export interface UserSearchSource {
  /** A page that comes after `next` of the one before; null when it could not be had. */
  fetchPage(filter: PeopleFilter, after: string | undefined): Promise<PeoplePage | null>
  /** The order in which names come. */
  compareNames(a: string, b: string): number
}

/** People whom the server finds. */
export class UserSearch extends PagedPeople {
  private readonly searchSource: UserSearchSource
  private isActive = false

  constructor(finder: UserSearchSource) {
    super(emptySource(finder))
    this.searchSource = finder
  }

  /** Looks for other people. */
  search(filter: PeopleFilter): void {
    this.isActive = true
    this.reset(filteredSource(this.searchSource, filter))
    void this.loadRows(0, 1)
  }

  /** Looks for the same people anew; those who are shown stay until it is known who is in their place. */
  refresh(): void {
    if (!this.isActive) return
    this.markStale()
    void this.loadRows(0, 1)
  }

  /** Nobody looks any more. */
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
