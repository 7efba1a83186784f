import type { ReactNode } from 'react'
import { terms } from '../../../../shared/accounts/terms.ts'
import './terms-text.css'

/** The text of 'Kullanım Sözleşmesi'. */
export function TermsText(): ReactNode {
  return (
    <div className="terms-text">
      {terms.map(({ title, points }) => (
        <section key={title} className="stack">
          <h3>{title}</h3>
          {points.map((point) => (
            <p key={point}>{point}</p>
          ))}
        </section>
      ))}
    </div>
  )
}
