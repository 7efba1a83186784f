import type { ReactNode } from 'react'
import { LegalLinks } from '../../model/legal/legal-links.tsx'

/** The foot of the public pages. */
export function SiteFooter(): ReactNode {
  return (
    <footer className="site-footer">
      <LegalLinks />
      <p>Meydan, kameralı sohbet sitesi</p>
    </footer>
  )
}
