/** What a toast is about; errors are told at once to those who listen. */
export type ToastKind = 'info' | 'success' | 'warning' | 'error'

/** Says something for a moment, at the top left (specification 2, point 9). */
export async function toast(text: string, kind: ToastKind = 'info'): Promise<void> {
  try {
    const { showToast } = await import('./toasts.tsx')
    showToast(text, kind)
  } catch (error) {
    console.error(`A toast could not be shown: ${text}`, error)
  }
}
