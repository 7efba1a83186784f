import type { WriteDoor } from '../database/write-door.ts'
import type { Footing } from './footing.ts'
import type { Position } from './position.ts'
import type { Road } from './send-on.ts'

/** A site that is one file in one place: its own primary, always up to date. */
export function standAlone(region: string, door: WriteDoor, local: () => Position): Footing & { road(): Road } {
  const road: Road = { isHere: true, carry: (order) => door.carryOut(order) }
  return {
    road: () => road,
    role: () => 'primary',
    primary: () => region,
    position: local,
    lagMs: () => 0,
    isFresh: () => Promise.resolve(true),
    notReady: () => null,
  }
}
