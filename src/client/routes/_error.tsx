import type { ReactNode } from 'react'

export interface ErrorProps {
  /** What the log calls this failure. */
  reference: string
}

export const title = (): string => 'Bir hata oluştu · Meydan'

export function Page({ reference }: ErrorProps): ReactNode {
  return (
    <section className="notice">
      <h1>Bir hata oluştu</h1>
      <p>Sayfa şu anda gösterilemiyor. Lütfen biraz sonra tekrar deneyin.</p>
      <p>
        Hata kodu: <code>{reference}</code>
      </p>
      <a href="/">Meydana dön</a>
    </section>
  )
}
