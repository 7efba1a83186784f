import { ChunkUnavailable } from '../../loading/load-chunk.ts'
import { loadLazy } from '../../loading/load-lazy.ts'

/** The kind of a toast; screen readers announce errors at once. */
export type ToastKind = 'info' | 'success' | 'warning' | 'error'

/** A toast that is a link. It stays until it is clicked or dismissed, and takes one of the places for toasts. */
export interface LinkToast {
  title: string
  text: string
  /** Below the text; '' for none. */
  note: string
  href: string
  dismissLabel: string
  /** It was clicked or dismissed. */
  onClose: () => void
}

const loadToasts = () => loadLazy(() => import('./toasts.lazy.tsx'))

/** Loads the toasts while there is a connection: many of them report that it is lost. */
export function preloadToasts(): void {
  void loadToasts()
}

/** Shows a text for 2 seconds at the top left (specification 2, point 9), as soon as the toasts are loaded. */
export async function toast(text: string, kind: ToastKind = 'info'): Promise<void> {
  const { showToast } = await loadToasts()
  showToast(text, kind)
}

/** Shows the toast that is a link in place of the former one; null removes it. */
export async function setLinkToast(link: LinkToast | null): Promise<void> {
  const { showLink } = await loadToasts()
  showLink(link)
}

export const LOAD_FAILURE_TEXT = 'Açılamadı. Bağlantını denetleyip tekrar dene.'

export function logLoadFailure(error: unknown): void {
  console[error instanceof ChunkUnavailable ? 'warn' : 'error'](error)
}

/** Reports that the code of a clicked control could not be loaded. */
export function toastLoadFailure(error: unknown): void {
  logLoadFailure(error)
  toast(LOAD_FAILURE_TEXT, 'error')
}
