import { FILE_TOO_LARGE, MAX_FILE_BYTES } from '../../shared/media/rules.ts'
import { type Refusal, refuse } from '../../shared/protocol/refusals.ts'
import type { Body } from './body.ts'

/** More parts or longer part headers than any form of the site has. */
const MAX_PARTS = 32
const MAX_PART_HEADER_BYTES = 1024
/** The boundary characters of RFC 2046, section 5.1.1, without the space. */
const boundaryPattern = /;\s*boundary=(?:"([\w'()+,\-./:=?]{1,70})"|([\w'+\-.]{1,70}))\s*(?:;|$)/i

/**
 * Parses a whole `multipart/form-data` body (RFC 7578) into fields and files. Drops blank fields and empty files.
 * Refusals: InvalidInput, TooLarge.
 * @param fileNames names of the file fields; a file under another name is refused
 */
export async function readMultipart(
  bytes: Buffer,
  type: string,
  fileNames: readonly string[],
): Promise<Body | Refusal> {
  const match = boundaryPattern.exec(type)
  const boundary = match?.[1] ?? match?.[2]
  if (boundary === undefined || !isWithinLimits(bytes, boundary)) return refuse('InvalidInput', { path: '' })
  const form = await parseFormData(bytes, boundary)
  if (form === null) return refuse('InvalidInput', { path: '' })
  const fields = new Map<string, string>()
  const files = new Map<string, Uint8Array>()
  for (const [name, value] of form) {
    const isFile = fileNames.includes(name)
    if (value === '' || (value instanceof File && value.size === 0)) continue
    if (isFile !== value instanceof File) return refuse('InvalidInput', { path: name })
    if (typeof value === 'string') fields.set(name, value)
    else if (value.size > MAX_FILE_BYTES) return refuse('TooLarge', { message: FILE_TOO_LARGE, path: name })
    else files.set(name, new Uint8Array(await value.arrayBuffer()))
  }
  return { fields: Object.fromEntries(fields), files, isForm: false }
}

/** Bounds part headers and parts, because the platform's parser reads headers byte by byte. */
function isWithinLimits(bytes: Buffer, boundary: string): boolean {
  const delimiter = Buffer.from(`--${boundary}`)
  let parts = 0
  for (
    let offset = bytes.indexOf(delimiter);
    offset !== -1;
    offset = bytes.indexOf(delimiter, offset + delimiter.length)
  ) {
    const header = bytes.subarray(offset, offset + MAX_PART_HEADER_BYTES)
    if (++parts > MAX_PARTS || (header.length === MAX_PART_HEADER_BYTES && !header.includes('\r\n\r\n'))) return false
  }
  return true
}

/** Null if the body is not a valid form. */
async function parseFormData(bytes: Buffer, boundary: string): Promise<FormData | null> {
  const headers = { 'content-type': `multipart/form-data; boundary="${boundary}"` }
  try {
    return await new Response(bytes as Uint8Array<ArrayBuffer>, { headers }).formData()
  } catch (error) {
    if (error instanceof TypeError) return null
    throw error
  }
}
