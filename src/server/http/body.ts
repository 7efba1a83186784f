import { type Refusal, refuse } from '../../shared/protocol/refusals.ts'

/** What was sent, before a schema has looked at it. */
export type Fields = Record<string, unknown>

export interface Body {
  fields: Fields
  /** What came as files, by name. */
  files: ReadonlyMap<string, Uint8Array>
  /** True when a plain form sent it, so that a page is the fitting answer. */
  isForm: boolean
}

const NO_FILES: ReadonlyMap<string, Uint8Array> = new Map()

/**
 * The body of a request as named fields: JSON, or what a plain form sends where the route takes forms. `blankIsAbsent`
 * names the fields of a form that count as left out when they come blank; it is null where no form is taken.
 */
export async function readBody(request: Request, blankIsAbsent: readonly string[] | null): Promise<Body | Refusal> {
  const type = request.headers.get('content-type')?.split(';')[0]?.trim().toLowerCase()
  if (blankIsAbsent && type === 'application/x-www-form-urlencoded') {
    const sent = [...new URLSearchParams(await request.text())]
    const filled = sent.filter(([name, value]) => value !== '' || !blankIsAbsent.includes(name))
    return { fields: Object.fromEntries(filled), files: NO_FILES, isForm: true }
  }
  if (type === 'application/json') return readJson(await request.text())
  const isEmpty = request.body === null || (await request.arrayBuffer()).byteLength === 0
  return isEmpty ? { fields: {}, files: NO_FILES, isForm: false } : refuse('UnsupportedMediaType')
}

function readJson(text: string): Body | Refusal {
  if (text === '') return { fields: {}, files: NO_FILES, isForm: false }
  try {
    const value: unknown = JSON.parse(text)
    if (typeof value !== 'object' || value === null || Array.isArray(value)) return refuse('InvalidInput', { path: '' })
    return { fields: value as Fields, files: NO_FILES, isForm: false } // an object that is no array has named fields
  } catch (error) {
    if (error instanceof SyntaxError) return refuse('InvalidInput', { path: '' })
    throw error
  }
}
