import { isAtLeast, type Position } from '../../database/position.ts'
import type { LinkedRegion, LinkServer } from '../link/link-server.ts'

/** Waits for other regions to acknowledge a position. */
export class ReplicaAcks {
  private readonly linkServer: Pick<LinkServer, 'regions'>
  private readonly waiters = new Set<() => void>()

  constructor(linkServer: Pick<LinkServer, 'regions' | 'onMessage'>) {
    this.linkServer = linkServer
    linkServer.onMessage((_, { kind }) => {
      if (kind === 'position') for (const check of [...this.waiters]) check()
    })
  }

  /** Resolves true once a candidate has the position (any region if there is no candidate), false after `timeoutMs`. */
  waitForAck(wanted: Position, timeoutMs: number): Promise<boolean> {
    if (this.isAcknowledged(wanted)) return Promise.resolve(true)
    return new Promise((resolve) => {
      const finish = (isAcknowledged: boolean) => {
        clearTimeout(timer)
        this.waiters.delete(check)
        resolve(isAcknowledged)
      }
      const check = () => {
        if (this.isAcknowledged(wanted)) finish(true)
      }
      const timer = setTimeout(() => finish(false), timeoutMs)
      this.waiters.add(check)
    })
  }

  private isAcknowledged(wanted: Position): boolean {
    const regions = this.linkServer.regions()
    const candidates = regions.filter(({ isCandidate }) => isCandidate)
    return (candidates.length > 0 ? candidates : regions).some((region) => hasPosition(region, wanted))
  }
}

function hasPosition(region: LinkedRegion, wanted: Position): boolean {
  const position = region.position()
  return position !== null && isAtLeast(position, wanted)
}
