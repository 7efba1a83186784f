import { refuse } from '../../shared/protocol/refusals.ts'
import { writeRegistry } from '../database/write-registry.ts'
import type { CommandEnvelope, CommandOutcome } from '../database/writer-client.ts'
import type { LinkedRegion, LinkServer } from './link/link-protocol.ts'
import type { Position } from './replication/position.ts'

export interface RemoteCommandsOptions {
  linkServer: LinkServer
  submit: (order: CommandEnvelope, confirm: boolean) => Promise<CommandOutcome>
  localPosition: () => Position
}

/** The primary's side of the commands road: carries out what other regions send, and tells how far it has come. */
export function serveRemoteCommands({ linkServer, submit, localPosition }: RemoteCommandsOptions): void {
  const answer = async (from: LinkedRegion, id: number, order: CommandEnvelope, confirm: boolean) => {
    const carried = isRemoteCommand(order) ? await submit(order, confirm) : unknownCommandOutcome(localPosition())
    from.send(carried === 'indeterminate' ? { kind: 'indeterminate', id } : { kind: 'answer', id, ...carried })
  }
  linkServer.onMessage((from, message) => {
    if (message.kind === 'command') void answer(from, message.id, message.envelope, message.awaitReplicaAck)
    else if (message.kind === 'getPosition') from.send({ kind: 'position', id: message.id, position: localPosition() })
  })
}

/** A region with other code may send what this one does not know. */
function isRemoteCommand({ command, clientId }: CommandEnvelope): boolean {
  return writeRegistry.get(command)?.origin === 'anyRegion' && clientId !== null
}

function unknownCommandOutcome(position: Position): CommandOutcome {
  return { refusal: refuse('UnknownCommand').body, position }
}
