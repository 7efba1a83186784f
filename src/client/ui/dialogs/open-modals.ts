import { signal } from '../../signal.ts'

/** The modal windows that are open, the top one last: whatever lies outside that one can be neither pressed nor heard. */
export const openModals = signal<readonly HTMLDialogElement[]>([])

/** Opens a window over all others. What it answers closes it, and the focus goes back to where it was. */
export function openModal(dialog: HTMLDialogElement): () => void {
  dialog.showModal()
  openModals.value = [...openModals.peek(), dialog]
  return () => {
    openModals.value = openModals.peek().filter((open) => open !== dialog)
    dialog.close()
  }
}
