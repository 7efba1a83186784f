import { showLoadingWhile } from '../../loading/loading-indicator.ts'
import { toastLoadFailure } from './toast.ts'

/**
 * Loads what a click opens, with the loading indicator, and opens it. A failure is shown in a toast; the next click tries
 * again.
 */
export async function loadOrToast<T>(load: () => Promise<T>, open?: (loaded: T) => unknown): Promise<void> {
  try {
    const loaded = await showLoadingWhile(load())
    await open?.(loaded)
  } catch (error) {
    toastLoadFailure(error)
  }
}
