import { refuse } from '../../../shared/protocol/refusals.ts'
import type { CommandEnvelope } from '../database/commands/command-envelope.ts'
import type { CommandRegistry } from '../database/commands/command-registry.ts'
import type { Position } from '../database/position.ts'
import type { CommandOutcome } from '../database/writer-client.ts'
import type { LinkClient } from './link/link-client.ts'
import type { PrimaryMessage } from './link/link-messages.ts'
import type { LinkedRegion, LinkServer } from './link/link-server.ts'

/** The replica's side: commands and position requests on their way over one link, until they are answered or it ends. */
export class RemoteWriter {
  private readonly linkClient: Pick<LinkClient, 'send'>
  private readonly pendingCommands = new Map<number, (outcome: CommandOutcome) => void>()
  private readonly pendingPositions = new Map<number, (position: Position | null) => void>()
  private lastId = 0

  constructor(linkClient: Pick<LinkClient, 'send'>) {
    this.linkClient = linkClient
  }

  submit(envelope: CommandEnvelope, awaitReplicaAck: boolean): Promise<CommandOutcome> {
    const id = ++this.lastId
    return new Promise((resolve) => {
      this.pendingCommands.set(id, resolve)
      if (!this.linkClient.send({ kind: 'command', id, envelope, awaitReplicaAck }))
        this.resolveCommand(id, 'indeterminate')
    })
  }

  /** The primary's position; null when the link ends before the answer. */
  getPrimaryPosition(): Promise<Position | null> {
    const id = ++this.lastId
    return new Promise((resolve) => {
      this.pendingPositions.set(id, resolve)
      if (!this.linkClient.send({ kind: 'getPosition', id })) this.resolvePosition(id, null)
    })
  }

  handleMessage(message: PrimaryMessage): void {
    if (message.kind === 'answer') this.resolveCommand(message.id, outcomeOfAnswer(message))
    else if (message.kind === 'indeterminate') this.resolveCommand(message.id, 'indeterminate')
    else if (message.kind === 'position') this.resolvePosition(message.id, message.position)
  }

  /** The link has ended: commands under way may have run or not. */
  failAll(): void {
    for (const id of [...this.pendingCommands.keys()]) this.resolveCommand(id, 'indeterminate')
    for (const id of [...this.pendingPositions.keys()]) this.resolvePosition(id, null)
  }

  private resolveCommand(id: number, outcome: CommandOutcome): void {
    const resolve = this.pendingCommands.get(id)
    this.pendingCommands.delete(id)
    resolve?.(outcome)
  }

  private resolvePosition(id: number, position: Position | null): void {
    const resolve = this.pendingPositions.get(id)
    this.pendingPositions.delete(id)
    resolve?.(position)
  }
}

function outcomeOfAnswer({ answer, refusal, position }: PrimaryMessage & { kind: 'answer' }): CommandOutcome {
  return refusal ? { refusal, position } : { answer: answer ?? {}, position }
}

export interface RemoteCommandsOptions {
  commands: Pick<CommandRegistry, 'byName'>
  linkServer: Pick<LinkServer, 'onMessage'>
  submit: (envelope: CommandEnvelope, awaitReplicaAck: boolean) => Promise<CommandOutcome>
  localPosition: () => Position
}

/** The primary's side: runs the commands of other regions, and answers their position requests. */
export function serveRemoteCommands({ commands, linkServer, submit, localPosition }: RemoteCommandsOptions): void {
  const answer = async (from: LinkedRegion, id: number, envelope: CommandEnvelope, awaitReplicaAck: boolean) => {
    const outcome: CommandOutcome = isRemoteCommand(commands, envelope)
      ? await submit(envelope, awaitReplicaAck)
      : { refusal: refuse('UnknownCommand').body, position: localPosition() }
    from.send(outcome === 'indeterminate' ? { kind: 'indeterminate', id } : { kind: 'answer', id, ...outcome })
  }
  linkServer.onMessage((from, message) => {
    if (message.kind === 'command') void answer(from, message.id, message.envelope, message.awaitReplicaAck)
    else if (message.kind === 'getPosition') from.send({ kind: 'position', id: message.id, position: localPosition() })
  })
}

/** Other code may have commands that this code lacks. */
function isRemoteCommand(
  { byName }: RemoteCommandsOptions['commands'],
  { command, clientId }: CommandEnvelope,
): boolean {
  return byName.get(command)?.origin === 'anyRegion' && clientId !== null
}
