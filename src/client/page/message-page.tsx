import type { ReactNode } from 'react'
import darkUrl from '../core/art/dark.svg?url'
import lostUrl from '../core/art/lost.svg?url'
import { BrandLink } from '../core/ui/brand/brand-link.tsx'
import { LegalLinks } from '../model/legal/legal-links.tsx'
import './message-page.css'

interface MessagePageProps {
  /** The drawing above the text. */
  drawing: 'lost' | 'dark'
  title: string
  text?: string
  /** The id of this failure in the log. */
  reference?: string
  action?: { href: string; label: string }
  /** Further content below the button. */
  children?: ReactNode
}

const drawingUrls = { lost: lostUrl, dark: darkUrl }

/** A whole page with one message: not found, failed. */
export function MessagePage({ drawing, title, text, reference, action, children }: MessagePageProps): ReactNode {
  return (
    <div className="message-page">
      <BrandLink />
      <section>
        <img src={drawingUrls[drawing]} alt="" width="260" height="180" />
        <h1>{title}</h1>
        {text !== undefined && <p>{text}</p>}
        <a className="button button--accent button--large" href={action?.href ?? '/'}>
          {action?.label ?? 'Meydana dön'}
        </a>
        {children}
        {reference !== undefined && (
          <p>
            Hata kodu: <code>{reference}</code>
          </p>
        )}
      </section>
      <footer>
        <LegalLinks />
      </footer>
    </div>
  )
}
