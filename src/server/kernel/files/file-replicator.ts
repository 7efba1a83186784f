import type { FileId } from '../../../shared/protocol/ids.ts'
import type { Leader } from '../database/leader.ts'
import type { FileRow, FileRows } from './file-rows.ts'

/** The file is here; no answering region could send it; no region could be asked, so a later run retries. */
export type FetchResult = 'present' | 'missing' | 'unavailable'

export interface FileReplicatorOptions {
  rows: FileRows
  leader: () => Leader
  /** Fetches the file unless it is here. */
  ensureLocal: (row: FileRow) => Promise<FetchResult>
}

/** Files that are fetched at once. */
const BATCH_SIZE = 8
/** Missing files that one run retries at most. */
const MAX_RETRIES_PER_RUN = 200

/** Fetches every file that has a row to this region, oldest first. */
export class FileReplicator {
  private readonly options: FileReplicatorOptions
  /** The last processed row; null before the first. */
  private lastRow: FileRow | null = null
  /** Ids of processed rows whose file no region could send. */
  private readonly missingIds = new Set<FileId>()
  private lastPrimary = ''
  private activeRun: Promise<boolean> | null = null
  private isRequested = false
  private isRetryRequested = false
  private isClosed = false

  constructor(options: FileReplicatorOptions) {
    this.options = options
  }

  /** Continues after the last processed row; with `shouldRetry` also retries missing files. Resolves to whether all are here. */
  replicate(shouldRetry: boolean): Promise<boolean> {
    this.isRequested = true
    this.isRetryRequested ||= shouldRetry
    this.activeRun ??= this.runUntilDone()
    return this.activeRun
  }

  /** Stops after the current batch. */
  async close(): Promise<void> {
    this.isClosed = true
    await this.activeRun?.catch(() => {}) // the caller of `replicate` got the error
  }

  /** Calls during a run share its promise, so it runs again until no request is left. */
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
    const retryIds = this.isRetryRequested ? [...this.missingIds].slice(0, MAX_RETRIES_PER_RUN) : []
    this.isRetryRequested = false
    for (const id of retryIds) if (!this.options.rows.findById(id)) this.missingIds.delete(id)
    for (let from = 0; from < retryIds.length; from += BATCH_SIZE) {
      const rows = retryIds.slice(from, from + BATCH_SIZE).flatMap((id) => this.options.rows.findById(id) ?? [])
      if (!(await this.fetchBatch(rows))) return false
    }
    return this.replicateNewRows()
  }

  /** False if no region could be asked; the next run continues from there. */
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
      this.missingIds.delete(row.id) // moves it to the end, so that every missing file is retried in turn
      if (fetched[index] === 'missing') this.missingIds.add(row.id)
    }
    return !fetched.includes('unavailable')
  }

  /** A crashed primary may lose rows, and the next one reuses their ids; then all rows are processed from the start. */
  private hasHistoryChanged(): boolean {
    const leader = this.options.leader()
    const primary = leader.is === 'other' ? leader.url : leader.is
    const isOtherLeader = leader.is !== 'nobody' && primary !== this.lastPrimary
    if (isOtherLeader) this.lastPrimary = primary
    return (
      isOtherLeader ||
      (this.lastRow !== null && this.options.rows.findById(this.lastRow.id)?.hash !== this.lastRow.hash)
    )
  }
}
