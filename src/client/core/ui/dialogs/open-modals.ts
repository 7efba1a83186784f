import { signal } from '../../signals/signal.ts'

/** The open modals, the topmost one last; everything outside the topmost one is inert. */
export const openModals = signal<readonly HTMLDialogElement[]>([])

/** Opens a dialog above all others. Returns a function that closes it and returns the focus. */
export function openModal(dialog: HTMLDialogElement): () => void {
  dialog.showModal()
  openModals.value = [...openModals.peek(), dialog]
  return () => {
    openModals.value = openModals.peek().filter((open) => open !== dialog)
    dialog.close()
  }
}
