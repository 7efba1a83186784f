/** The query of a page before a cursor; null for the first page. */
export function pageQuery(before: string | number | null): string {
  return before === null ? '' : `?before=${before}`
}
