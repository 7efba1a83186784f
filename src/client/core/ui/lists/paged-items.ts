/** The loaded part of a paged list; `next` is the cursor of the next page, null at the end. */
export interface PagedItems<Item, Cursor> {
  items: readonly Item[]
  next: Cursor | null
}

/**
 * Appends the page that was requested with the cursor `from`, or replaces the list for the first page (null). A page
 * that does not continue the list is ignored: it was requested twice, or the list was reloaded meanwhile.
 */
export function mergePage<Item, Cursor>(
  known: PagedItems<Item, Cursor> | null,
  from: Cursor | null,
  page: PagedItems<Item, Cursor>,
): PagedItems<Item, Cursor> | null {
  if (from === null) return page
  if (known?.next !== from) return known
  return { items: [...known.items, ...page.items], next: page.next }
}
