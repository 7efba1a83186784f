import { randomUUID } from 'node:crypto'
import { FILE_TOO_LARGE, MAX_FILE_BYTES } from '../../../shared/media/rules.ts'
import { type Refusal, refuse } from '../../../shared/protocol/refusals.ts'
import type { Body } from './body.ts'

/** More parts or longer part headers than any form of the site has. */
export const MAX_PARTS = 32
export const MAX_PART_HEADER_BYTES = 1024
/** The boundary characters of RFC 2046, section 5.1.1, without the space. */
const boundaryPattern = /;\s*boundary=(?:"([\w'()+,\-./:=?]{1,70})"|([\w'+\-.]{1,70}))\s*(?:;|$)/i

/** Contents above this are not copied: the platform's parser gets a token in their place. */
const MAX_COPIED_BYTES = 64 * 1024

/** The boundary that a content type names; null without a valid one. */
export function boundaryOf(type: string): string | null {
  const match = boundaryPattern.exec(type)
  return match?.[1] ?? match?.[2] ?? null
}

/**
 * Parses a whole `multipart/form-data` body (RFC 7578) into fields and files. Drops blank fields and empty files; large
 * files are views of `bytes`. Refusals: InvalidInput, TooLarge.
 * @param fileNames names of the file fields; a file under another name is refused
 */
export async function readMultipart(
  bytes: Buffer,
  type: string,
  fileNames: readonly string[],
): Promise<Body | Refusal> {
  const boundary = boundaryOf(type)
  const shortened = boundary === null ? null : shortenParts(bytes, boundary)
  const form = shortened && (await parseFormData(shortened.body, boundary ?? ''))
  if (!form) return refuse('InvalidInput', { path: '' })
  const fields = new Map<string, string>()
  const files = new Map<string, Uint8Array>()
  for (const [name, value] of form) {
    const isFile = fileNames.includes(name)
    if (value === '' || (value instanceof File && value.size === 0)) continue
    if (isFile !== value instanceof File) return refuse('InvalidInput', { path: name })
    if (typeof value === 'string') {
      // No text field is this long.
      if (shortened.contents.has(value)) return refuse('InvalidInput', { path: name })
      fields.set(name, value)
      continue
    }
    const copied = Buffer.from(await value.arrayBuffer())
    const content = shortened.contents.get(copied.toString('latin1')) ?? copied
    if (content.length > MAX_FILE_BYTES) return refuse('TooLarge', { message: FILE_TOO_LARGE, path: name })
    files.set(name, content)
  }
  return { fields: Object.fromEntries(fields), files, isForm: false }
}

/**
 * The body with a random token in place of each long content, and the contents by their tokens. Null with too many parts
 * or a long part header, because the platform's parser reads headers byte by byte.
 */
function shortenParts(bytes: Buffer, boundary: string): { body: Buffer; contents: Map<string, Uint8Array> } | null {
  const delimiter = Buffer.from(`--${boundary}`)
  const contents = new Map<string, Uint8Array>()
  const kept: Uint8Array[] = []
  let keptUpTo = 0
  let parts = 0
  for (let offset = bytes.indexOf(delimiter); offset !== -1; ) {
    const header = bytes.subarray(offset, offset + MAX_PART_HEADER_BYTES)
    const headerEnd = header.indexOf('\r\n\r\n')
    if (++parts > MAX_PARTS || (header.length === MAX_PART_HEADER_BYTES && headerEnd === -1)) return null
    const next = bytes.indexOf(delimiter, offset + delimiter.length)
    const [start, end] = [offset + headerEnd + 4, next - 2]
    if (headerEnd !== -1 && end - start > MAX_COPIED_BYTES) {
      const token = randomUUID()
      contents.set(token, bytes.subarray(start, end))
      kept.push(bytes.subarray(keptUpTo, start), Buffer.from(token))
      keptUpTo = end
    }
    offset = next
  }
  return { body: Buffer.concat([...kept, bytes.subarray(keptUpTo)]), contents }
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
