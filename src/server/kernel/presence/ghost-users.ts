import type { UserId } from '../../../shared/protocol/ids.ts'

/** Called when a user becomes a ghost in this region or is none any more. */
export type GhostListener = (userId: UserId, isGhost: boolean) => void

/**
 * The ghost-banned users, as far as this region knows: by its own log, and by the presence of other regions, which may be
 * ahead of its log. A user is a ghost while any of them says so, so that one is hidden whichever comes first.
 */
export class GhostUsers {
  private readonly onChange: GhostListener
  private readonly logged = new Set<UserId>()
  /** By user, the regions whose presence marks the user as a ghost. */
  private readonly reported = new Map<UserId, Set<string>>()

  constructor(onChange: GhostListener) {
    this.onChange = onChange
  }

  get size(): number {
    return this.logged.size + this.reported.size
  }

  has(userId: UserId): boolean {
    return this.logged.has(userId) || this.reported.has(userId)
  }

  /** By the log of this region alone: what it reports to others. */
  isLogged(userId: UserId): boolean {
    return this.logged.has(userId)
  }

  /** The log or a row of this region says that the user is a ghost, or is none any more. */
  setLogged(userId: UserId, isGhost: boolean): void {
    this.change(userId, () => {
      if (isGhost) this.logged.add(userId)
      else this.logged.delete(userId)
    })
  }

  /** The rows of this region say who is a ghost. */
  replaceLogged(userIds: readonly UserId[]): void {
    const ghosts = new Set(userIds)
    for (const userId of [...this.logged]) if (!ghosts.has(userId)) this.setLogged(userId, false)
    for (const userId of ghosts) this.setLogged(userId, true)
  }

  /** The presence of another region says that the user is a ghost, or no longer says it. */
  setReported(region: string, userId: UserId, isGhost: boolean): void {
    this.change(userId, () => {
      const regions = this.reported.get(userId) ?? new Set<string>()
      if (isGhost) this.reported.set(userId, regions.add(region))
      else if (regions.delete(region) && regions.size === 0) this.reported.delete(userId)
    })
  }

  private change(userId: UserId, apply: () => void): void {
    const before = this.has(userId)
    apply()
    const isGhost = this.has(userId)
    if (isGhost !== before) this.onChange(userId, isGhost)
  }
}
