import type { Cancel, Environment } from '../../../core/platform/environment.ts'
import { repeat } from '../repeat.ts'

const INTERVAL_MS = 500
/** Sound comes every 20 ms, and during silence every 400 ms (RFC 7587, section 3.1.3). */
const STALL_MS = 1_500

interface StallListener {
  onStall(): void
  /** Packets come again, maybe over another connection. */
  onFlow(): void
}

/**
 * Notices within 2 s that no more packets come. A browser tells it by the state of its connection only after 5 s or more,
 * when its checks have failed.
 */
export class StallDetector {
  private readonly environment: Environment
  private readonly readPackets: () => Promise<number | null>
  private readonly listener: StallListener
  private packets = 0
  private changedAt: number
  private isStalled = false
  private isStopped = false
  private readonly cancelTimer: Cancel

  /** @param readPackets the packets that the present connection has received; null while none are expected */
  constructor(environment: Environment, readPackets: () => Promise<number | null>, listener: StallListener) {
    this.environment = environment
    this.readPackets = readPackets
    this.listener = listener
    this.changedAt = environment.now()
    this.cancelTimer = repeat(environment, INTERVAL_MS, () => void this.measure())
  }

  stop(): void {
    this.isStopped = true
    this.cancelTimer()
  }

  private async measure(): Promise<void> {
    const packets = await this.readPackets()
    if (this.isStopped) return
    const now = this.environment.now()
    if (packets === null || packets !== this.packets) {
      this.packets = packets ?? 0
      this.changedAt = now
      // A new connection begins with none.
      if (this.isStalled && packets !== 0) this.change(false)
    } else if (!this.isStalled && packets > 0 && now - this.changedAt >= STALL_MS) this.change(true)
  }

  private change(isStalled: boolean): void {
    this.isStalled = isStalled
    if (isStalled) this.listener.onStall()
    else this.listener.onFlow()
  }
}
