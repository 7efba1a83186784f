/**
 * How much an Accept-Encoding header wants an encoding, from 0 (not at all) to 1 (RFC 9110, section 12.5.3). `*` stands for
 * each encoding that the header does not name.
 */
export function encodingQuality(header: string | undefined, encoding: string): number {
  const offers = (header ?? '').toLowerCase().split(',').map(parseOffer)
  const offer = offers.find(({ name }) => name === encoding) ?? offers.find(({ name }) => name === '*')
  return offer?.quality ?? 0
}

export function acceptsEncoding(header: string | undefined, encoding: string): boolean {
  return encodingQuality(header, encoding) > 0
}

/** An invalid quality excludes the encoding. */
function parseOffer(offer: string): { name: string; quality: number } {
  const [name = '', q = '1'] = offer.trim().split(/\s*;\s*q\s*=\s*/)
  return { name, quality: Number(q) || 0 }
}
