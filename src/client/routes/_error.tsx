import type { ReactNode } from 'react'

export interface ErrorProps {
  /** Why the page cannot be shown, in Turkish, where there is more to say than that something broke. */
  message?: string
  /** What the log calls this failure. */
  reference?: string
}

export const title = (): string => 'Bir hata oluştu · Meydan'

export function Page({ message, reference }: ErrorProps): ReactNode {
  return (
    <section className="notice">
      <h1>{message ?? 'Bir hata oluştu'}</h1>
      {message === undefined && <p>Sayfa şu anda gösterilemiyor. Lütfen biraz sonra tekrar deneyin.</p>}
      {reference !== undefined && (
        <p>
          Hata kodu: <code>{reference}</code>
        </p>
      )}
      <a href="/">Meydana dön</a>
    </section>
  )
}
