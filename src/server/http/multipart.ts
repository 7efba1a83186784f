import { FILE_TOO_LARGE, MAX_FILE_BYTES } from '../../shared/media/rules.ts'
import { type Refusal, refuse } from '../../shared/protocol/refusals.ts'
import type { Body } from './body.ts'

/** More parts, or a longer head of one, no form of ours has. */
const MAX_PARTS = 32
const MAX_PART_HEADER_BYTES = 1024
/** The characters of RFC 2046, section 5.1.1, but for the blank. */
const boundaryPattern = /;\s*boundary=(?:"([\w'()+,\-./:=?]{1,70})"|([\w'+\-.]{1,70}))\s*(?:;|$)/i

/**
 * A whole `multipart/form-data` body (RFC 7578) in its fields and files. A field that comes blank counts as left out, and so
 * does a file that nobody chose. Refusals: InvalidInput, TooLarge.
 * @param names those of the files; a file under another name is refused
 */
export async function readMultipart(bytes: Buffer, type: string, names: readonly string[]): Promise<Body | Refusal> {
  const found = boundaryPattern.exec(type)
  const boundary = found?.[1] ?? found?.[2]
  if (boundary === undefined || !isWithinLimits(bytes, boundary)) return refuse('InvalidInput', { path: '' })
  const form = await parseFormData(bytes, boundary)
  if (form === null) return refuse('InvalidInput', { path: '' })
  const fields = new Map<string, string>()
  const files = new Map<string, Uint8Array>()
  for (const [name, value] of form) {
    const isFile = names.includes(name)
    if (value === '' || (value instanceof File && value.size === 0)) continue
    if (isFile !== value instanceof File) return refuse('InvalidInput', { path: name })
    if (typeof value === 'string') fields.set(name, value)
    else if (value.size > MAX_FILE_BYTES) return refuse('TooLarge', { message: FILE_TOO_LARGE, path: name })
    else files.set(name, new Uint8Array(await value.arrayBuffer()))
  }
  return { fields: Object.fromEntries(fields), files, isForm: false }
}

/** The platform's parser reads heads byte by byte: it is given none that are long, and few of them. */
function isWithinLimits(bytes: Buffer, boundary: string): boolean {
  const mark = Buffer.from(`--${boundary}`)
  let parts = 0
  for (let at = bytes.indexOf(mark); at !== -1; at = bytes.indexOf(mark, at + mark.length)) {
    const head = bytes.subarray(at, at + MAX_PART_HEADER_BYTES)
    if (++parts > MAX_PARTS || (head.length === MAX_PART_HEADER_BYTES && !head.includes('\r\n\r\n'))) return false
  }
  return true
}

/** Null where it is no form. */
async function parseFormData(bytes: Buffer, boundary: string): Promise<FormData | null> {
  const headers = { 'content-type': `multipart/form-data; boundary="${boundary}"` }
  try {
    return await new Response(bytes as Uint8Array<ArrayBuffer>, { headers }).formData()
  } catch (error) {
    if (error instanceof TypeError) return null
    throw error
  }
}
