import type { LinkedRegion, LinkHub } from './link.ts'
import { hasReached, type Position } from './position.ts'

/** What other regions report to have, for whoever must not answer before one of them has it. */
export class Reports {
  private readonly hub: LinkHub
  private readonly waiting = new Set<() => void>()

  constructor(hub: LinkHub) {
    this.hub = hub
    hub.onMessage((_, { kind }) => {
      if (kind === 'position') for (const look of [...this.waiting]) look()
    })
  }

  /** Resolves true as soon as a region that may lead has come so far (any, where none may), false after `deadlineMs`. */
  confirmed(wanted: Position, deadlineMs: number): Promise<boolean> {
    if (this.isThere(wanted)) return Promise.resolve(true)
    return new Promise((resolve) => {
      const settle = (isThere: boolean) => {
        clearTimeout(timer)
        this.waiting.delete(look)
        resolve(isThere)
      }
      const look = () => {
        if (this.isThere(wanted)) settle(true)
      }
      const timer = setTimeout(() => settle(false), deadlineMs)
      this.waiting.add(look)
    })
  }

  private isThere(wanted: Position): boolean {
    const regions = this.hub.regions()
    const candidates = regions.filter(({ isCandidate }) => isCandidate)
    return (candidates.length > 0 ? candidates : regions).some((region) => has(region, wanted))
  }
}

function has(region: LinkedRegion, wanted: Position): boolean {
  const position = region.position()
  return position !== null && hasReached(position, wanted)
}
