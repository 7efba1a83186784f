import { ChunkUnavailable } from '../../load-chunk.ts'
import { loadPart } from '../../load-part.ts'

/** The kind of a toast; screen readers announce errors at once. */
export type ToastKind = 'info' | 'success' | 'warning' | 'error'

const loadToasts = () => loadPart(() => import('./toasts.tsx'))

/** Loads the toasts while there is a connection: many of them report that it is lost. */
export function preloadToasts(): void {
  void loadToasts()
}

/** Shows a text for 2 seconds at the top left (specification 2, point 9), as soon as the toasts are loaded. */
export async function toast(text: string, kind: ToastKind = 'info'): Promise<void> {
  const { showToast } = await loadToasts()
  showToast(text, kind)
}

/** Reports that the code of a pressed control could not be loaded. */
export function toastLoadFailure(error: unknown): void {
  console[error instanceof ChunkUnavailable ? 'warn' : 'error'](error)
  toast('Açılamadı. Bağlantını denetleyip tekrar dene.', 'error')
}
