import type { Cancel, Environment } from '../live/environment.ts'
import { signal } from '../signal.ts'
import type { ToastKind } from './toast.ts'

/** So many at once, for so long (specification 2, point 9). */
export const MOST_TOASTS = 2
export const TOAST_MS = 2_000
/** More than these wait for nobody: the oldest of them go unsaid. */
const MOST_WAITING = 10

export interface Toast {
  key: number
  text: string
  kind: ToastKind
}

/** Which toasts are shown, and which wait for their turn. */
export class ToastQueue {
  readonly shown = signal<readonly Toast[]>([])

  private readonly after: Environment['after']
  private waiting: Toast[] = []
  private readonly endings = new Map<number, Cancel>()
  private keys = 0

  constructor({ after }: Pick<Environment, 'after'>) {
    this.after = after
  }

  /** Says something, as soon as there is room for it. The same words twice are said once. */
  add(text: string, kind: ToastKind): void {
    const isSaid = [...this.shown.peek(), ...this.waiting].some((toast) => toast.text === text && toast.kind === kind)
    if (isSaid) return
    this.waiting = [...this.waiting, { key: ++this.keys, text, kind }].slice(-MOST_WAITING)
    this.fill()
  }

  close(key: number): void {
    this.endings.get(key)?.()
    this.endings.delete(key)
    this.shown.value = this.shown.peek().filter((toast) => toast.key !== key)
    this.fill()
  }

  /** While somebody points at a toast, or is on its button, it stays. */
  hold(key: number): void {
    this.endings.get(key)?.()
  }

  /** From now on it has its time again. */
  letGo(key: number): void {
    this.endings.get(key)?.()
    this.endings.set(
      key,
      this.after(TOAST_MS, () => this.close(key)),
    )
  }

  private fill(): void {
    const room = MOST_TOASTS - this.shown.peek().length
    const next = this.waiting.splice(0, Math.max(0, room))
    if (next.length === 0) return
    this.shown.value = [...this.shown.peek(), ...next]
    for (const { key } of next) this.letGo(key)
  }
}
