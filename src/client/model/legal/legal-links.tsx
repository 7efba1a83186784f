import type { ReactNode } from 'react'
import { legalDocuments } from '../../../shared/legal/documents.ts'
import './legal-links.css'

interface LegalLinksProps {
  /** Opens the documents in a tab of their own, so that a room stays open. */
  isInRoom?: boolean
}

/** Links to the terms, privacy, rules and contact pages. */
export function LegalLinks({ isInRoom = false }: LegalLinksProps): ReactNode {
  return (
    <nav className="legal-links" aria-label="Site bilgileri">
      {Object.values(legalDocuments).map(({ path, label }) => (
        <a key={path} href={path} {...(isInRoom && { target: '_blank', rel: 'noopener' })}>
          {label}
        </a>
      ))}
    </nav>
  )
}
