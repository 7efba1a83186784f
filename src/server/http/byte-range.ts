/** The bytes from `start` to `end`, both of them among it. */
export interface ByteRange {
  start: number
  end: number
}

const singleRange = /^bytes=(\d{0,15})-(\d{0,15})$/i

/**
 * What a Range header asks for of so many bytes (RFC 9110, section 14.2). One that asks for several ranges, or that cannot be
 * read, is passed over, as it may be: the answer is the whole.
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

/** The last so many bytes. */
function suffixRange(length: number, size: number): ByteRange {
  return { start: Math.max(size - length, 0), end: size - 1 }
}
