/** The query of a page before or after a cursor; null for the first page. */
export function pageQuery(cursor: string | number | null, side: 'before' | 'after' = 'before'): string {
  return cursor === null ? '' : `?${side}=${cursor}`
}
