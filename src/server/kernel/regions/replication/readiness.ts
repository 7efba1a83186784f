/** A region without a primary serves the data that it has after this. */
const READY_TIMEOUT_MS = 10_000

/** Whether a load balancer may send users to this region. Once ready, a region stays so. */
export class Readiness {
  private isReady = false
  private isClosed = false
  private readonly timer: NodeJS.Timeout

  /** @param isLinked whether this region is linked to a primary: then it becomes ready by catching up */
  constructor(isLinked: () => boolean) {
    this.timer = setTimeout(() => !isLinked() && this.markReady(), READY_TIMEOUT_MS)
    this.timer.unref()
  }

  notReadyReason(): string | null {
    return this.isReady ? null : 'catching up with the primary'
  }

  markReady(): void {
    this.isReady = true
  }

  /** Ready once this region has, on one link, everything that the primary had. Gives up when the link changes. */
  async waitForPrimaryState(isSameLink: () => boolean, waitUntilFresh: () => Promise<boolean>): Promise<void> {
    while (!this.isReady && !this.isClosed && isSameLink()) if (await waitUntilFresh()) this.markReady()
  }

  close(): void {
    this.isClosed = true
    clearTimeout(this.timer)
  }
}
