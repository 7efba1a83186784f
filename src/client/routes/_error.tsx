import type { ReactNode } from 'react'
import { MessagePage } from '../ui/message-page.tsx'

export interface ErrorProps {
  /** Why the page cannot be shown, in Turkish; absent for an unknown failure. */
  message?: string
  /** Further details. */
  text?: string
  /** The id of this failure in the log. */
  reference?: string
}

export const title = (): string => 'Bir hata oluştu · Meydan'

export function Page({ message, text = 'Meydanda başka odalar da var.', reference }: ErrorProps): ReactNode {
  return (
    <MessagePage
      drawing="dark"
      title={message ?? 'Bir hata oluştu'}
      text={message ? text : 'Bu sayfa şu anda gösterilemiyor. Lütfen biraz sonra tekrar dene.'}
      {...(reference !== undefined && { reference })}
    />
  )
}
