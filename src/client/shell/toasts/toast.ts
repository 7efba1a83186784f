/** The kind of a toast; screen readers announce errors at once. */
export type ToastKind = 'info' | 'success' | 'warning' | 'error'

const loadToastModule = () => import('./toasts.tsx')

/** Loads the toasts while there is a connection: many of them report that it is lost. */
export function preloadToasts(): void {
  loadToastModule().catch(console.error)
}

/** Shows a text for 2 seconds at the top left (specification 2, point 9). */
export async function toast(text: string, kind: ToastKind = 'info'): Promise<void> {
  try {
    const { showToast } = await loadToastModule()
    showToast(text, kind)
  } catch (error) {
    console.error(text, error)
  }
}

/** Reports that the code of a pressed control could not be loaded. */
export function toastLoadFailure(error: unknown): void {
  console.error(error)
  toast('Açılamadı. Bağlantını denetleyip tekrar dene.', 'error')
}
