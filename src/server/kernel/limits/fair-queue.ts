/** A key under which a waiting task counts, such as its address or its account, and how many tasks of it may wait at once. */
export interface FairKey {
  key: string
  maxWaiting: number
}

export interface FairQueueBounds {
  maxWaiting: number
  maxWaitMs: number
}

interface Waiting {
  keys: readonly FairKey[]
  /** Its turn: the smallest one is next. */
  turn: number
  settle(isAdmitted: boolean): void
}

/**
 * A bounded queue that is fair by several keys at once (start-time fair queueing, Goyal 1996): a task comes after
 * those that already wait under any of its keys, and before the second task of every other key. When the queue is full, the
 * task with the latest turn is refused, so that a key with many tasks cannot keep out one with few.
 */
export class FairQueue {
  private readonly bounds: FairQueueBounds
  /** In order of arrival. */
  private readonly waiting = new Set<Waiting>()
  private readonly keys = new Map<string, { waiting: number; lastTurn: number }>()
  /** The turn of the task that was admitted last. */
  private currentTurn = 0

  constructor(bounds: FairQueueBounds) {
    this.bounds = bounds
  }

  get length(): number {
    return this.waiting.size
  }

  /** True when it is the task's turn; false when it is refused, at once or later. */
  wait(keys: readonly FairKey[]): Promise<boolean> {
    if (keys.some(({ key, maxWaiting }) => (this.keys.get(key)?.waiting ?? 0) >= maxWaiting))
      return Promise.resolve(false)
    const turn = 1 + Math.max(this.currentTurn, ...keys.map(({ key }) => this.keys.get(key)?.lastTurn ?? 0))
    if (!this.makeRoomBefore(turn)) return Promise.resolve(false)
    return new Promise((resolve) => {
      const task: Waiting = {
        keys,
        turn,
        settle: (isAdmitted) => {
          clearTimeout(timer)
          this.remove(task)
          resolve(isAdmitted)
        },
      }
      const timer = setTimeout(() => task.settle(false), this.bounds.maxWaitMs)
      this.add(task)
    })
  }

  /** Admits the task whose turn is next; false when none waits. */
  admitNext(): boolean {
    const next = this.findTask((task, best) => task.turn < best.turn)
    if (!next) return false
    this.currentTurn = next.turn
    next.settle(true)
    return true
  }

  /** Whether there is room for a task with this turn, for which one with a later turn may be refused. */
  private makeRoomBefore(turn: number): boolean {
    if (this.waiting.size < this.bounds.maxWaiting) return true
    const last = this.findTask((task, best) => task.turn >= best.turn)
    if (!last || last.turn <= turn) return false
    last.settle(false)
    return true
  }

  /** The queue is short, so a scan is cheap beside the tasks. */
  private findTask(isBetter: (task: Waiting, best: Waiting) => boolean): Waiting | null {
    let best: Waiting | null = null
    for (const task of this.waiting) if (!best || isBetter(task, best)) best = task
    return best
  }

  private add(task: Waiting): void {
    this.waiting.add(task)
    for (const { key } of task.keys) {
      this.keys.set(key, { waiting: (this.keys.get(key)?.waiting ?? 0) + 1, lastTurn: task.turn })
    }
  }

  private remove(task: Waiting): void {
    this.waiting.delete(task)
    for (const { key } of task.keys) {
      const entry = this.keys.get(key)
      if (entry && --entry.waiting === 0) this.keys.delete(key)
    }
  }
}
