import type { Cancel, Environment } from '../../platform/environment.ts'
import { signal } from '../../signals/signal.ts'
import type { LinkToast, ToastKind } from './toast.ts'

/** Specification 2, point 9. */
const MAX_VISIBLE_TOASTS = 2
export const TOAST_MS = 2_000
/** When more toasts wait, the oldest ones are dropped. */
const MAX_WAITING_TOASTS = 10

export interface Toast {
  key: number
  text: string
  kind: ToastKind
  /** Set for the toast that is a link and stays until it is clicked or dismissed. */
  link?: LinkToast
}

/** The visible toasts and those that wait. */
export class ToastQueue {
  readonly visible = signal<readonly Toast[]>([])

  private readonly setTimer: Environment['setTimer']
  private waiting: Toast[] = []
  private linkToast: Toast | null = null
  private readonly timers = new Map<number, Cancel>()
  private lastKey = 0

  constructor({ setTimer }: Pick<Environment, 'setTimer'>) {
    this.setTimer = setTimer
  }

  /** Shows a toast as soon as there is space. A text that is already visible or waiting is not added. */
  add(text: string, kind: ToastKind): void {
    const isDuplicate = [...this.visible.peek(), ...this.waiting].some(
      (toast) => toast.text === text && toast.kind === kind,
    )
    if (isDuplicate) return
    this.waiting = [...this.waiting, { key: ++this.lastKey, text, kind }].slice(-MAX_WAITING_TOASTS)
    this.showNext()
  }

  /** Sets the only toast that is a link, in the place of the former one; null removes it. */
  setLink(link: LinkToast | null): void {
    const former = this.linkToast
    this.linkToast = link && { key: former?.key ?? ++this.lastKey, text: link.text, kind: 'info', link }
    const next = this.linkToast
    if (next && this.isVisible(next.key))
      this.visible.value = this.visible.peek().map((toast) => (toast.key === next.key ? next : toast))
    else if (next) this.showNext()
    else if (former) this.close(former.key)
  }

  close(key: number): void {
    this.timers.get(key)?.()
    this.timers.delete(key)
    if (this.linkToast?.key === key) this.linkToast = null
    this.visible.value = this.visible.peek().filter((toast) => toast.key !== key)
    this.showNext()
  }

  /** Keeps a toast while it is hovered or focused. */
  pause(key: number): void {
    this.timers.get(key)?.()
  }

  /** Starts the toast's full time; a link has none. */
  resume(key: number): void {
    this.timers.get(key)?.()
    if (this.linkToast?.key === key) return
    this.timers.set(
      key,
      this.setTimer(TOAST_MS, () => this.close(key)),
    )
  }

  private showNext(): void {
    const freeCount = Math.max(0, MAX_VISIBLE_TOASTS - this.visible.peek().length)
    const links = this.linkToast && !this.isVisible(this.linkToast.key) ? [this.linkToast] : []
    const next = [...links, ...this.waiting].slice(0, freeCount)
    if (next.length === 0) return
    this.waiting = this.waiting.filter((toast) => !next.includes(toast))
    this.visible.value = [...this.visible.peek(), ...next]
    for (const { key } of next) this.resume(key)
  }

  private isVisible(key: number): boolean {
    return this.visible.peek().some((toast) => toast.key === key)
  }
}
