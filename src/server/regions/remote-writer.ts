import type { CommandEnvelope, CommandOutcome } from '../database/writer-client.ts'
import type { LinkClient, PrimaryMessage } from './link/link-protocol.ts'
import type { Position } from './replication/position.ts'

/** Commands and questions on their way over one line to the primary, until they are answered or the line ends. */
export class RemoteWriter {
  private readonly linkClient: LinkClient
  private readonly pendingCommands = new Map<number, (carried: CommandOutcome) => void>()
  private readonly pendingPositions = new Map<number, (position: Position | null) => void>()
  private lastId = 0

  constructor(dialler: LinkClient) {
    this.linkClient = dialler
  }

  submit(order: CommandEnvelope, confirm: boolean): Promise<CommandOutcome> {
    const id = ++this.lastId
    return new Promise((resolve) => {
      this.pendingCommands.set(id, resolve)
      if (!this.linkClient.send({ kind: 'command', id, envelope: order, awaitReplicaAck: confirm }))
        this.resolveCommand(id, 'indeterminate')
    })
  }

  /** How far the primary has come; null when the line ended before it said so. */
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

  /** The line has ended: whatever is under way may or may not have happened. */
  failAll(): void {
    for (const id of [...this.pendingCommands.keys()]) this.resolveCommand(id, 'indeterminate')
    for (const id of [...this.pendingPositions.keys()]) this.resolvePosition(id, null)
  }

  private resolveCommand(id: number, carried: CommandOutcome): void {
    const resolve = this.pendingCommands.get(id)
    this.pendingCommands.delete(id)
    resolve?.(carried)
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
