/**
 * `next` if it is a path on this site, else `fallback`. It is checked after URL normalisation, as a browser does it:
 * `//evil.example`, `/\evil.example` and `/..//evil.example` lead to another site.
 */
export function toSameSitePath<F extends string | null>(next: unknown, fallback: F): string | F {
  if (typeof next !== 'string' || !/^\/[^\\\p{Cc}]*$/u.test(next)) return fallback
  const base = 'http://site.invalid'
  const url = URL.parse(next, base)
  if (url?.origin !== base || url.pathname.startsWith('//')) return fallback
  return `${url.pathname}${url.search}${url.hash}`
}
