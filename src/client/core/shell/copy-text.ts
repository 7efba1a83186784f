import { toast } from './toasts/toast.ts'

/** Copies a text to the clipboard and shows the result in a toast. */
export async function copyText(text: string): Promise<void> {
  const isCopied = (await writeToClipboard(text)) || copyWithExecCommand(text)
  toast(isCopied ? 'Kopyalandı!' : 'Kopyalama başarısız!', isCopied ? 'success' : 'error')
}

/** Fails without HTTPS, where `navigator.clipboard` is undefined, and when the browser denies access. */
async function writeToClipboard(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    return false
  }
}

function copyWithExecCommand(text: string): boolean {
  const field = document.createElement('textarea')
  field.value = text
  field.className = 'visually-hidden'
  // Everything outside an open modal is inert and cannot be selected.
  const { activeElement } = document
  const place = activeElement?.closest('dialog') ?? document.body
  place.append(field)
  field.select()
  const isCopied = document.execCommand('copy')
  field.remove()
  if (activeElement instanceof HTMLElement) activeElement.focus({ preventScroll: true })
  return isCopied
}
