/** A list that comes a page at a time, as far as it is loaded; `next` is where to go on, null at the end. */
export interface PagedItems<Item, Place> {
  items: readonly Item[]
  next: Place | null
}

/**
 * The list with the page that was asked for from a place on, or from the beginning (null). A page that does not go on where
 * the list ends by now was asked for twice, or the list has been loaded anew meanwhile: it is passed over.
 */
export function mergePage<Item, Place>(
  known: PagedItems<Item, Place> | null,
  from: Place | null,
  page: PagedItems<Item, Place>,
): PagedItems<Item, Place> | null {
  if (from === null) return page
  if (known?.next !== from) return known
  return { items: [...known.items, ...page.items], next: page.next }
}
