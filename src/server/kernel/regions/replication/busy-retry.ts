import { isSqliteBusy } from '../../database/sqlite-busy.ts'

/** Retry of a read that failed because LiteFS held the file. */
const READ_RETRY_MS = 250

/** Runs a synchronous read, and runs it again later when LiteFS holds the file. Other errors are thrown. */
export class BusyRetry {
  private readonly read: () => void
  private timer: NodeJS.Timeout | null = null
  private isClosed = false

  constructor(read: () => void) {
    this.read = read
  }

  run(): void {
    try {
      this.read()
    } catch (error) {
      if (!isSqliteBusy(error)) throw error
      this.timer ??= setTimeout(() => {
        this.timer = null
        if (!this.isClosed) this.run()
      }, READ_RETRY_MS)
    }
  }

  /** No retry starts any more. */
  close(): void {
    this.isClosed = true
  }
}
