/** Whether an Accept-Encoding header allows this encoding; `q=0` excludes it (RFC 9110, section 12.5.3). */
export function acceptsEncoding(header: string | undefined, encoding: string): boolean {
  const offers = (header ?? '').toLowerCase().split(',')
  return offers.some((offer) => {
    const [name, q = '1'] = offer.trim().split(/\s*;\s*q=/)
    return name === encoding && Number(q) > 0
  })
}
