import type { ReactNode } from 'react'

export const title = (): string => 'Sayfa bulunamadı · Meydan'

export function Page(): ReactNode {
  return (
    <section className="notice">
      <h1>Sayfa bulunamadı</h1>
      <p>Aradığınız sayfa taşınmış ya da hiç olmamış olabilir.</p>
      <a href="/">Meydana dön</a>
    </section>
  )
}
