import { matchesFilter, type PeopleFilter } from '../../shared/presence/rules.ts'
import { PagedPeople, type PeoplePage, type PeopleSource } from './paged-people.ts'

/** Where people are looked for. */
export interface PeopleFinder {
  /** A page that comes after `next` of the one before; null when it could not be had. */
  ask(filter: PeopleFilter, after: string | undefined): Promise<PeoplePage | null>
  /** The order in which names come. */
  order(a: string, b: string): number
}

/** People whom the server finds. */
export class FoundPeople extends PagedPeople {
  private readonly finder: PeopleFinder
  private isLooking = false

  constructor(finder: PeopleFinder) {
    super(nobody(finder))
    this.finder = finder
  }

  /** Looks for other people. */
  look(filter: PeopleFilter): void {
    this.isLooking = true
    this.open(sourceOf(this.finder, filter))
    void this.loadRows(0, 1)
  }

  /** Looks for the same people anew; those who are shown stay until it is known who is in their place. */
  lookAgain(): void {
    if (!this.isLooking) return
    this.renew()
    void this.loadRows(0, 1)
  }

  /** Nobody looks any more. */
  stop(): void {
    this.isLooking = false
    this.close(nobody(this.finder))
  }
}

function sourceOf({ ask, order }: PeopleFinder, filter: PeopleFilter): PeopleSource {
  const fitsName = matchesFilter({ search: filter.search })
  return {
    ask: (after) => ask(filter, after),
    order,
    fits: matchesFilter(filter),
    had: (username) => fitsName({ username, gender: null }) && (filter.gender ? null : true),
    isOfEveryone: false,
  }
}

function nobody({ order }: PeopleFinder): PeopleSource {
  return { ask: async () => null, order, fits: () => false, had: () => false, isOfEveryone: false }
}
