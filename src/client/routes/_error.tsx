import type { ReactNode } from 'react'
import { MessagePage } from '../ui/message-page.tsx'

export interface ErrorProps {
  /** Why the page cannot be shown, in Turkish, where there is more to say than that something broke. */
  message?: string
  /** More of it. */
  text?: string
  /** What the log calls this failure. */
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
