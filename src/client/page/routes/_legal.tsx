import type { ReactNode } from 'react'
import { type LegalPageProps, type LegalSection, legalDocuments } from '../../../shared/legal/documents.ts'
import { BrandLink } from '../../core/ui/brand/brand-link.tsx'
import { SiteFooter } from '../../features/legal/site-footer.tsx'
import '../../features/legal/legal-page.css'

export const title = ({ name }: LegalPageProps): string => `${legalDocuments[name].label} · Meydan`
export const description = ({ summary }: LegalPageProps): string => summary

/** A document about using the site: terms, privacy, rules or contact. */
export function Page({ name, summary, sections, contact, changedOn }: LegalPageProps): ReactNode {
  return (
    <div className="legal-page">
      <header>
        <BrandLink />
      </header>
      <article className="legal-page-text">
        <h1>{legalDocuments[name].label}</h1>
        <p>{summary}</p>
        {sections.map((section) => (
          <Section key={section.title} {...section} />
        ))}
        {contact !== null && (
          <p>
            <a href={`mailto:${contact}`}>{contact}</a>
          </p>
        )}
        <p>
          Son değişiklik: <time dateTime={changedOn}>{changedOn.split('-').reverse().join('.')}</time>
        </p>
      </article>
      <SiteFooter />
    </div>
  )
}

function Section({ title: heading, points }: LegalSection): ReactNode {
  return (
    <section>
      <h2>{heading}</h2>
      {points.map((point) => (
        <p key={point}>{point}</p>
      ))}
    </section>
  )
}
