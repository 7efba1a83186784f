import type { ReactNode } from 'react'
import { Brand } from './brand.tsx'
import './brand-link.css'

/** The logo of a page without a session: it leads to the landing page. */
export function BrandLink({ size }: { size?: number }): ReactNode {
  return (
    <a className="brand-link" href="/" aria-label="Meydan ana sayfa">
      <Brand {...(size !== undefined && { size })} />
    </a>
  )
}
