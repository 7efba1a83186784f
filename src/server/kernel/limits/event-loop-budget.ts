/** Minimum cost of a task: the part of its work after an `await` is not measured. */
const MIN_TASK_MS = 1

/**
 * The time that each key, such as an address, may take of one turn of the event loop. What does not fit waits for the next
 * turn, in order, so that other keys are served in between.
 */
export class EventLoopBudget {
  private readonly maxMs: number
  private readonly spentMs = new Map<string, number>()
  private readonly waiting = new Map<string, (() => void)[]>()
  private isScheduled = false

  constructor(maxMs: number) {
    this.maxMs = maxMs
  }

  isSpent(key: string): boolean {
    return (this.spentMs.get(key) ?? 0) >= this.maxMs
  }

  spend(key: string, ms: number): void {
    this.spentMs.set(key, (this.spentMs.get(key) ?? 0) + ms)
    this.scheduleTurn()
  }

  /** Runs the task at once, or in a later turn if the key has spent its time of this one. */
  run(key: string, task: () => void): void {
    if (this.isSpent(key)) {
      this.enqueue(key, task)
    } else {
      this.spend(key, MIN_TASK_MS)
      task()
    }
  }

  private enqueue(key: string, task: () => void): void {
    const tasks = this.waiting.get(key)
    if (tasks) tasks.push(task)
    else this.waiting.set(key, [task])
  }

  private scheduleTurn(): void {
    if (this.isScheduled) return
    this.isScheduled = true
    setImmediate(() => this.beginTurn())
  }

  private beginTurn(): void {
    this.isScheduled = false
    this.spentMs.clear()
    for (const [key, tasks] of this.waiting) {
      while (tasks.length > 0 && !this.isSpent(key)) {
        this.spend(key, MIN_TASK_MS)
        tasks.shift()?.()
      }
      if (tasks.length === 0) this.waiting.delete(key)
    }
  }
}
