import type { FileId } from '../../shared/protocol/ids.ts'
import type { Leader } from '../regions/litefs/litefs-client.ts'
import type { FileRow, FileRows } from './queries.ts'

/** What came of fetching a file: it is here; no region that answered has it; or it cannot be told now. */
export type FetchResult = 'present' | 'missing' | 'unavailable'

export interface FileReplicatorOptions {
  rows: FileRows
  leader: () => Leader
  /** Sees to it that a file is here. */
  ensureLocal: (row: FileRow) => Promise<FetchResult>
}

/** Files are looked for so many at once. */
const BATCH_SIZE = 8
/** Of those that nobody had, so many are asked for again in one go. */
const MAX_RETRIES_PER_RUN = 200

/** Brings every file that has a row to this region, oldest first. */
export class FileReplicator {
  private readonly options: FileReplicatorOptions
  /** The last row gone through; null before the first. */
  private lastRow: FileRow | null = null
  /** Ids of rows gone through whose file nobody had. */
  private readonly missingIds = new Set<FileId>()
  private lastPrimary = ''
  private activeRun: Promise<boolean> | null = null
  private isRequested = false
  private isRetryRequested = false
  private isClosed = false

  constructor(options: FileReplicatorOptions) {
    this.options = options
  }

  /** Goes on with the rows, `again` also with those whose file nobody had. Answers whether every file is here now. */
  replicate(again: boolean): Promise<boolean> {
    this.isRequested = true
    this.isRetryRequested ||= again
    this.activeRun ??= this.runUntilDone()
    return this.activeRun
  }

  /** Ends after the files that are under way. */
  async close(): Promise<void> {
    this.isClosed = true
    await this.activeRun?.catch(() => {}) // whoever asked for it has heard
  }

  /** Whoever asks while this works is answered for what they asked, too. */
  private async runUntilDone(): Promise<boolean> {
    let isAtEnd = false
    try {
      while (this.isRequested && !this.isClosed) {
        this.isRequested = false
        isAtEnd = await this.runOnce()
      }
      return isAtEnd && this.missingIds.size === 0
    } finally {
      this.activeRun = null
    }
  }

  private async runOnce(): Promise<boolean> {
    if (this.hasHistoryChanged()) {
      this.lastRow = null
      this.missingIds.clear()
    }
    const again = this.isRetryRequested ? [...this.missingIds].slice(0, MAX_RETRIES_PER_RUN) : []
    this.isRetryRequested = false
    for (const id of again) if (!this.options.rows.findById(id)) this.missingIds.delete(id)
    for (let from = 0; from < again.length; from += BATCH_SIZE) {
      const rows = again.slice(from, from + BATCH_SIZE).flatMap((id) => this.options.rows.findById(id) ?? [])
      if (!(await this.fetchBatch(rows))) return false
    }
    return this.replicateNewRows()
  }

  /** False when it ended early, because no region can be asked: the next time goes on from there. */
  private async replicateNewRows(): Promise<boolean> {
    while (!this.isClosed) {
      const rows = this.options.rows.listAfter(this.lastRow?.id ?? 0, BATCH_SIZE)
      if (rows.length === 0) return true
      if (!(await this.fetchBatch(rows))) return false
      this.lastRow = rows.at(-1) ?? null
    }
    return false
  }

  private async fetchBatch(rows: FileRow[]): Promise<boolean> {
    const fetched = await Promise.all(rows.map((row) => this.options.ensureLocal(row)))
    for (const [index, row] of rows.entries()) {
      if (fetched[index] === 'unavailable') continue
      this.missingIds.delete(row.id) // those that are still missing come last, so that all have their turn
      if (fetched[index] === 'missing') this.missingIds.add(row.id)
    }
    return !fetched.includes('unavailable')
  }

  /** With a primary that crashed rows may have gone, and others may have come under their ids: all are gone through anew. */
  private hasHistoryChanged(): boolean {
    const leader = this.options.leader()
    const named = leader.is === 'other' ? leader.url : leader.is
    const isOtherLeader = leader.is !== 'nobody' && named !== this.lastPrimary
    if (isOtherLeader) this.lastPrimary = named
    return (
      isOtherLeader ||
      (this.lastRow !== null && this.options.rows.findById(this.lastRow.id)?.hash !== this.lastRow.hash)
    )
  }
}
