import type { LinkedRegion, LinkServer } from '../link/link-protocol.ts'
import { isAtLeast, type Position } from './position.ts'

/** What other regions report to have, for whoever must not answer before one of them has it. */
export class ReplicaAcks {
  private readonly linkServer: LinkServer
  private readonly waiters = new Set<() => void>()

  constructor(hub: LinkServer) {
    this.linkServer = hub
    hub.onMessage((_, { kind }) => {
      if (kind === 'position') for (const look of [...this.waiters]) look()
    })
  }

  /** Resolves true as soon as a region that may lead has come so far (any, where none may), false after `deadlineMs`. */
  waitForAck(wanted: Position, deadlineMs: number): Promise<boolean> {
    if (this.isAcknowledged(wanted)) return Promise.resolve(true)
    return new Promise((resolve) => {
      const settle = (isThere: boolean) => {
        clearTimeout(timer)
        this.waiters.delete(look)
        resolve(isThere)
      }
      const look = () => {
        if (this.isAcknowledged(wanted)) settle(true)
      }
      const timer = setTimeout(() => settle(false), deadlineMs)
      this.waiters.add(look)
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
