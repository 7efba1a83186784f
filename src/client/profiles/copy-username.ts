import { toast } from '../shell/toasts/toast.ts'

export const COPY_USERNAME_LABEL = 'Kullanıcı adını kopyala'

/** Puts somebody's name on the clipboard. */
export async function copyUsername(username: string): Promise<void> {
  const isCopied = (await writeToClipboard(username)) || copyWithExecCommand(username)
  toast(isCopied ? 'Kopyalandı!' : 'Kopyalama başarısız!', isCopied ? 'success' : 'error')
}

/** Only where the page came over HTTPS is there a clipboard, and then the browser may still say no. */
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
  // Outside of a modal window nothing can be selected while one is open.
  const { activeElement } = document
  const place = activeElement?.closest('dialog') ?? document.body
  place.append(field)
  field.select()
  const isCopied = document.execCommand('copy')
  field.remove()
  if (activeElement instanceof HTMLElement) activeElement.focus({ preventScroll: true })
  return isCopied
}
