import type { Cancel, Environment } from '../../live/environment.ts'
import { signal } from '../../signal.ts'
import type { ToastKind } from './toast.ts'

/** So many at once, for so long (specification 2, point 9). */
export const MAX_VISIBLE_TOASTS = 2
export const TOAST_MS = 2_000
/** More than these wait for nobody: the oldest of them go unsaid. */
const MAX_WAITING_TOASTS = 10

export interface Toast {
  key: number
  text: string
  kind: ToastKind
}

/** Which toasts are shown, and which wait for their turn. */
export class ToastQueue {
  readonly visible = signal<readonly Toast[]>([])

  private readonly after: Environment['setTimer']
  private waiting: Toast[] = []
  private readonly timers = new Map<number, Cancel>()
  private lastKey = 0

  constructor({ setTimer }: Pick<Environment, 'setTimer'>) {
    this.after = setTimer
  }

  /** Says something, as soon as there is room for it. The same words twice are said once. */
  add(text: string, kind: ToastKind): void {
    const isSaid = [...this.visible.peek(), ...this.waiting].some((toast) => toast.text === text && toast.kind === kind)
    if (isSaid) return
    this.waiting = [...this.waiting, { key: ++this.lastKey, text, kind }].slice(-MAX_WAITING_TOASTS)
    this.showNext()
  }

  close(key: number): void {
    this.timers.get(key)?.()
    this.timers.delete(key)
    this.visible.value = this.visible.peek().filter((toast) => toast.key !== key)
    this.showNext()
  }

  /** While somebody points at a toast, or is on its button, it stays. */
  pause(key: number): void {
    this.timers.get(key)?.()
  }

  /** From now on it has its time again. */
  resume(key: number): void {
    this.timers.get(key)?.()
    this.timers.set(
      key,
      this.after(TOAST_MS, () => this.close(key)),
    )
  }

  private showNext(): void {
    const room = MAX_VISIBLE_TOASTS - this.visible.peek().length
    const next = this.waiting.splice(0, Math.max(0, room))
    if (next.length === 0) return
    this.visible.value = [...this.visible.peek(), ...next]
    for (const { key } of next) this.resume(key)
  }
}
