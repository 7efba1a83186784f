import { type FocusEvent, useEffect, useRef, useState } from 'react'

interface HeldOrder<T> {
  ordered: readonly T[]
  /** For the element of the list. */
  holdProps: {
    onPointerEnter: () => void
    onPointerLeave: () => void
    onFocus: (event: FocusEvent) => void
    onBlur: () => void
  }
}

/**
 * Holds the order of a list while a pointer is over it or the keyboard's focus in it, so that nothing moves away from
 * under them. The items themselves stay live.
 * @param canHold false while the list is loading
 */
export function useHeldOrder<T extends { id: number }>(items: readonly T[], canHold = true): HeldOrder<T> {
  const [isHovered, setHovered] = useState(false)
  const [hasFocus, setFocus] = useState(false)
  const shownIds = useRef<readonly number[]>([])
  const ordered = canHold && (isHovered || hasFocus) ? inOrderOf(shownIds.current, items) : items
  useEffect(() => {
    shownIds.current = ordered.map(({ id }) => id)
  })
  return {
    ordered,
    holdProps: {
      onPointerEnter: () => setHovered(true),
      onPointerLeave: () => setHovered(false),
      onFocus: ({ target }) => setFocus(target.matches(':focus-visible')),
      onBlur: () => setFocus(false),
    },
  }
}

/** The items in the order of these ids, then the new ones in their own order. */
export function inOrderOf<T extends { id: number }>(ids: readonly number[], items: readonly T[]): T[] {
  const places = new Map(ids.map((id, index) => [id, index]))
  const placeOf = ({ id }: T): number => places.get(id) ?? ids.length
  return items.toSorted((one, other) => placeOf(one) - placeOf(other))
}
