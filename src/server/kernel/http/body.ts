import { type Refusal, refuse } from '../../../shared/protocol/refusals.ts'

/** Fields of a request before validation. */
export type Fields = Record<string, unknown>

export interface Body {
  fields: Fields
  /** File contents by field name. */
  files: ReadonlyMap<string, Uint8Array>
  /** True when a plain HTML form sent it and the answer is a page. */
  isForm: boolean
}

/** More than any route or form of the site has. Copying thousands of fields takes longer than parsing them. */
const MAX_FIELDS = 64
const NO_FILES: ReadonlyMap<string, Uint8Array> = new Map()

/**
 * Reads a body as named fields: JSON, or a URL-encoded form if the route takes forms. Refusals: UnsupportedMediaType,
 * InvalidInput.
 * @param blankIsAbsent form fields that are dropped when they are blank; null if the route takes no forms
 */
export async function readBody(request: Request, blankIsAbsent: readonly string[] | null): Promise<Body | Refusal> {
  const type = request.headers.get('content-type')?.split(';')[0]?.trim().toLowerCase()
  if (blankIsAbsent && type === 'application/x-www-form-urlencoded') {
    const text = await request.text()
    if (text.split('&', MAX_FIELDS + 1).length > MAX_FIELDS) return refuse('InvalidInput', { path: '' })
    const entries = [...new URLSearchParams(text)]
    const filled = entries.filter(([name, value]) => value !== '' || !blankIsAbsent.includes(name))
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
    if (Object.keys(value).length > MAX_FIELDS) return refuse('InvalidInput', { path: '' })
    return { fields: value as Fields, files: NO_FILES, isForm: false } // an object that is no array has named fields
  } catch (error) {
    if (error instanceof SyntaxError) return refuse('InvalidInput', { path: '' })
    throw error
  }
}
