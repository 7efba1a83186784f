/** What a toast is about; errors are told at once to those who listen. */
export type ToastKind = 'info' | 'success' | 'warning' | 'error'

const loadToastModule = () => import('./toasts.tsx')

/** Loads what shows them while there is a line: many say that there is none. */
export function preloadToasts(): void {
  loadToastModule().catch(console.error)
}

/** Says something for a moment, at the top left (specification 2, point 9). */
export async function toast(text: string, kind: ToastKind = 'info'): Promise<void> {
  try {
    const { showToast } = await loadToastModule()
    showToast(text, kind)
  } catch (error) {
    console.error(text, error)
  }
}

/** What was pressed needs code that could not be loaded. */
export function toastLoadFailure(error: unknown): void {
  console.error(error)
  toast('Açılamadı. Bağlantını denetleyip tekrar dene.', 'error')
}
