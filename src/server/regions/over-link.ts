import type { Carried, Order } from '../database/write-door.ts'
import type { FromHub, LinkDialler } from './link.ts'
import type { Position } from './position.ts'

/** Commands and questions on their way over one line to the primary, until they are answered or the line ends. */
export class OverLink {
  private readonly dialler: LinkDialler
  private readonly orders = new Map<number, (carried: Carried) => void>()
  private readonly questions = new Map<number, (position: Position | null) => void>()
  private lastId = 0

  constructor(dialler: LinkDialler) {
    this.dialler = dialler
  }

  carry(order: Order, confirm: boolean): Promise<Carried> {
    const id = ++this.lastId
    return new Promise((resolve) => {
      this.orders.set(id, resolve)
      if (!this.dialler.send({ kind: 'command', id, order, confirm })) this.settle(id, 'lost')
    })
  }

  /** How far the primary has come; null when the line ended before it said so. */
  where(): Promise<Position | null> {
    const id = ++this.lastId
    return new Promise((resolve) => {
      this.questions.set(id, resolve)
      if (!this.dialler.send({ kind: 'where', id })) this.tell(id, null)
    })
  }

  hear(message: FromHub): void {
    if (message.kind === 'answer') this.settle(message.id, carriedOf(message))
    else if (message.kind === 'lost') this.settle(message.id, 'lost')
    else if (message.kind === 'here') this.tell(message.id, message.position)
  }

  /** The line has ended: whatever is under way may or may not have happened. */
  end(): void {
    for (const id of [...this.orders.keys()]) this.settle(id, 'lost')
    for (const id of [...this.questions.keys()]) this.tell(id, null)
  }

  private settle(id: number, carried: Carried): void {
    const resolve = this.orders.get(id)
    this.orders.delete(id)
    resolve?.(carried)
  }

  private tell(id: number, position: Position | null): void {
    const resolve = this.questions.get(id)
    this.questions.delete(id)
    resolve?.(position)
  }
}

function carriedOf({ answer, refusal, position }: FromHub & { kind: 'answer' }): Carried {
  return refusal ? { refusal, position } : { answer: answer ?? {}, position }
}
