import type { ReactNode } from 'react'
import { MessagePage } from '../message-page.tsx'

interface ErrorProps {
  /** Why the page cannot be shown, in Turkish; absent for an unknown failure. */
  message?: string
  /** Further details. */
  text?: string
  /** Where the button leads; by default to the landing page. */
  action?: { href: string; label: string }
  /** The id of this failure in the log. */
  reference?: string
}

export const title = (): string => 'Bir hata oluştu · Meydan'

export function Page({ message, text = 'Meydanda başka odalar da var.', action, reference }: ErrorProps): ReactNode {
  return (
    <MessagePage
      drawing="dark"
      title={message ?? 'Bir hata oluştu'}
      text={message ? text : 'Bu sayfa şu anda gösterilemiyor. Lütfen biraz sonra tekrar dene.'}
      {...(action && { action })}
      {...(reference !== undefined && { reference })}
    />
  )
}
