import { type ChildProcess, fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import type { DrawingJob, EncodedPicture, PictureJob, PictureRefusal } from './encode-picture.ts'

const MAIN_FILE = fileURLToPath(new URL('./picture-process-main.ts', import.meta.url))
export interface PictureProcessBounds {
  /** Resident memory of the process. */
  maxBytes: number
  /** Enough for the largest picture of the slowest type on a slow core. */
  maxJobMs?: number
  /** After this the memory of the decoders returns to the machine. */
  maxIdleMs?: number
}

export type PictureOutcome = EncodedPicture | PictureRefusal

/** A child process that encodes or draws one picture at a time. It ends with the site, however the site ends. */
export class PictureProcess {
  private readonly child: ChildProcess
  private readonly bounds: Required<PictureProcessBounds>
  private settle: ((outcome: PictureOutcome) => void) | null = null
  private timer: NodeJS.Timeout | null = null
  private hasEnded = false

  constructor({ maxBytes, maxJobMs = 15_000, maxIdleMs = 30_000 }: PictureProcessBounds) {
    this.bounds = { maxBytes, maxJobMs, maxIdleMs }
    // Without the environment, which has the site's secrets; without its flags, such as `--watch`.
    this.child = fork(MAIN_FILE, [`${maxBytes}`], {
      env: {},
      execArgv: [],
      serialization: 'advanced',
      stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
    })
    this.child.on('message', (outcome: PictureOutcome) => this.finish(outcome))
    // Without an `exit` when the process could not start.
    this.child.on('error', () => {
      this.end()
      this.onEnded()
    })
    this.child.on('exit', () => this.onEnded())
    this.child.unref()
    this.child.channel?.unref()
  }

  get isUsable(): boolean {
    return !this.hasEnded && this.child.connected
  }

  /** The picture, or `unreadable` when decoding it took too much time or memory, or crashed. */
  run(job: PictureJob | DrawingJob): Promise<PictureOutcome> {
    return new Promise((resolve) => {
      this.settle = resolve
      this.endAfter(this.bounds.maxJobMs)
      // A process that could not start may have no channel; its `error` follows.
      if (!this.child.connected) return
      this.child.send(job, (error) => {
        if (error) this.end()
      })
    })
  }

  end(): void {
    this.child.kill('SIGKILL')
  }

  private onEnded(): void {
    this.hasEnded = true
    this.finish('unreadable')
  }

  private finish(outcome: PictureOutcome): void {
    this.endAfter(this.bounds.maxIdleMs)
    this.settle?.(outcome)
    this.settle = null
  }

  private endAfter(ms: number): void {
    if (this.timer) clearTimeout(this.timer)
    this.timer = this.hasEnded ? null : setTimeout(() => this.end(), ms).unref()
  }
}
