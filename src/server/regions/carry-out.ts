import { refuse } from '../../shared/protocol/refusals.ts'
import { ofThisMachine, writeCommands } from '../database/commands.ts'
import type { Carried, Order } from '../database/write-door.ts'
import type { LinkedRegion, LinkHub } from './link.ts'
import type { Position } from './position.ts'

export interface CarryOutOptions {
  hub: LinkHub
  carry: (order: Order, confirm: boolean) => Promise<Carried>
  position: () => Position
}

/** The primary's side of the commands road: carries out what other regions send, and tells how far it has come. */
export function carryOutForOthers({ hub, carry, position }: CarryOutOptions): void {
  const answer = async (from: LinkedRegion, id: number, order: Order, confirm: boolean) => {
    const carried = mayBeSent(order) ? await carry(order, confirm) : refused(position())
    from.send(carried === 'lost' ? { kind: 'lost', id } : { kind: 'answer', id, ...carried })
  }
  hub.onMessage((from, message) => {
    if (message.kind === 'command') void answer(from, message.id, message.order, message.confirm)
    else if (message.kind === 'where') from.send({ kind: 'here', id: message.id, position: position() })
  })
}

/** A region with other code may send what this one does not know. */
function mayBeSent({ command, clientId }: Order): boolean {
  return Object.hasOwn(writeCommands, command) && !ofThisMachine.has(command) && clientId !== null
}

function refused(position: Position): Carried {
  return { refusal: refuse('UnknownCommand').body, position }
}
