import { hash } from 'node:crypto'
import type { ByteRange } from '../files/file-stream.ts'

const singleRange = /^bytes=(\d{0,15})-(\d{0,15})$/i

/** What an ETag names these bytes. */
export function contentTag(bytes: Uint8Array): string {
  return hash('sha256', bytes, 'base64url').slice(0, 22)
}

/** Whether If-None-Match names this tag, so that the answer is 304 (RFC 9110, section 13.1.2). */
export function isNotModified(ifNoneMatch: string | undefined, etag: string): boolean {
  if (ifNoneMatch === undefined) return false
  const tags = ifNoneMatch.split(',').map((tag) => tag.trim().replace(/^W\//, ''))
  return tags.includes(etag) || tags.includes('*')
}

/**
 * The range that a Range header selects of `size` bytes (RFC 9110, section 14.2). Headers with several ranges and invalid
 * ones are ignored, as the RFC allows: the result is `whole`.
 */
export function parseRange(header: string | undefined, size: number): ByteRange | 'whole' | 'unsatisfiable' {
  const [, first = '', last = ''] = singleRange.exec(header?.trim() ?? '') ?? []
  if (first === '' && last === '') return 'whole'
  if (first === '') return last === '0'.repeat(last.length) ? 'unsatisfiable' : suffixRange(Number(last), size)
  const start = Number(first)
  const end = last === '' ? size - 1 : Math.min(Number(last), size - 1)
  if (last !== '' && Number(last) < start) return 'whole'
  return start < size ? { start, end } : 'unsatisfiable'
}

/** The last `length` bytes. */
function suffixRange(length: number, size: number): ByteRange {
  return { start: Math.max(size - length, 0), end: size - 1 }
}
