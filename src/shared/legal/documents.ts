/** The public pages about using Meydan, in the order of their links. */
export const legalDocuments = {
  terms: { path: '/kullanim-sozlesmesi', label: 'Kullanım Sözleşmesi' },
  privacy: { path: '/gizlilik', label: 'Gizlilik' },
  rules: { path: '/kurallar', label: 'Kurallar' },
  contact: { path: '/iletisim', label: 'İletişim' },
} as const

export type LegalDocumentName = keyof typeof legalDocuments

/** One of its headings with the paragraphs below it. */
export interface LegalSection {
  title: string
  points: readonly string[]
}

/** The props of the page of a document. */
export interface LegalPageProps {
  name: LegalDocumentName
  /** What the document says, in one sentence. */
  summary: string
  sections: readonly LegalSection[]
  /** An address for mail, shown as a link below the sections. */
  contact: string | null
  /** When the text was last changed, as `2026-11-27`. */
  changedOn: string
}
