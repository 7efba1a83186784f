/** A page that starts before all rows of a list in descending order. */
export const FIRST_PAGE = `${Number.MAX_SAFE_INTEGER}-0`

/** The sort key and the id of a cursor (`PageCursor`), `<key>-<id>`. */
export function parsePageCursor(cursor: string): [key: number, id: number] {
  const [key = 0, id = 0] = cursor.split('-').map(Number)
  return [key, id]
}

/**
 * A page of at most `size` rows, out of at least one more where there are more, and the cursor of the next page; null at
 * the end.
 * @param keyOf the sort key of a row
 */
export function toPage<Row extends { id: number }>(
  rows: readonly Row[],
  size: number,
  keyOf: (row: Row) => number,
): { shown: Row[]; next: string | null } {
  const shown = rows.slice(0, size)
  const last = shown.at(-1)
  return { shown, next: rows.length > size && last ? `${keyOf(last)}-${last.id}` : null }
}
