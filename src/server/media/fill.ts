import type { Leader } from '../regions/litefs.ts'
import type { FileRow, FileRows } from './queries.ts'

/** What came of fetching a file: it is here; no region that answered has it; or it cannot be told now. */
export type Fetched = 'here' | 'nowhere' | 'later'

export interface FillerOptions {
  rows: FileRows
  leader: () => Leader
  /** Sees to it that a file is here. */
  fetch: (row: FileRow) => Promise<Fetched>
}

/** Files are looked for so many at once. */
const STEP = 8
/** Of those that nobody had, so many are asked for again in one go. */
const TRIED_AGAIN = 200

/** Brings every file that has a row to this region, oldest first. */
export class Filler {
  private readonly options: FillerOptions
  /** The last row gone through; null before the first. */
  private done: FileRow | null = null
  /** Ids of rows gone through whose file nobody had. */
  private readonly missing = new Set<number>()
  private lastLeader = ''
  private run: Promise<boolean> | null = null
  private isAsked = false
  private tryAgain = false
  private isClosed = false

  constructor(options: FillerOptions) {
    this.options = options
  }

  /** Goes on with the rows, `again` also with those whose file nobody had. Answers whether every file is here now. */
  fill(again: boolean): Promise<boolean> {
    this.isAsked = true
    this.tryAgain ||= again
    this.run ??= this.work()
    return this.run
  }

  /** Ends after the files that are under way. */
  async close(): Promise<void> {
    this.isClosed = true
    await this.run?.catch(() => {}) // whoever asked for it has heard
  }

  /** Whoever asks while this works is answered for what they asked, too. */
  private async work(): Promise<boolean> {
    let isAtEnd = false
    try {
      while (this.isAsked && !this.isClosed) {
        this.isAsked = false
        isAtEnd = await this.goThrough()
      }
      return isAtEnd && this.missing.size === 0
    } finally {
      this.run = null
    }
  }

  private async goThrough(): Promise<boolean> {
    if (this.isOtherHistory()) {
      this.done = null
      this.missing.clear()
    }
    const again = this.tryAgain ? [...this.missing].slice(0, TRIED_AGAIN) : []
    this.tryAgain = false
    for (const id of again) if (!this.options.rows.byId(id)) this.missing.delete(id)
    for (let from = 0; from < again.length; from += STEP) {
      const rows = again.slice(from, from + STEP).flatMap((id) => this.options.rows.byId(id) ?? [])
      if (!(await this.take(rows))) return false
    }
    return this.goOn()
  }

  /** False when it ended early, because no region can be asked: the next time goes on from there. */
  private async goOn(): Promise<boolean> {
    while (!this.isClosed) {
      const rows = this.options.rows.after(this.done?.id ?? 0, STEP)
      if (rows.length === 0) return true
      if (!(await this.take(rows))) return false
      this.done = rows.at(-1) ?? null
    }
    return false
  }

  private async take(rows: FileRow[]): Promise<boolean> {
    const fetched = await Promise.all(rows.map((row) => this.options.fetch(row)))
    for (const [index, row] of rows.entries()) {
      if (fetched[index] === 'later') continue
      this.missing.delete(row.id) // those that are still missing come last, so that all have their turn
      if (fetched[index] === 'nowhere') this.missing.add(row.id)
    }
    return !fetched.includes('later')
  }

  /** With a primary that crashed rows may have gone, and others may have come under their ids: all are gone through anew. */
  private isOtherHistory(): boolean {
    const leader = this.options.leader()
    const named = leader.is === 'other' ? leader.url : leader.is
    const isOtherLeader = leader.is !== 'nobody' && named !== this.lastLeader
    if (isOtherLeader) this.lastLeader = named
    return isOtherLeader || (this.done !== null && this.options.rows.byId(this.done.id)?.hash !== this.done.hash)
  }
}
