import type { ReactNode } from 'react'
import { litWindows, WINDOWS } from './lit-windows.ts'

/**
 * The front of a room's house: the more people are in it, the more windows are lit. Its styles, windows.css, are part of
 * those of whoever shows it: a page's are not there on another one.
 */
export function Windows({ people }: { people: number }): ReactNode {
  const lit = litWindows(people)
  return (
    <span className="windows" aria-hidden="true">
      {Array.from({ length: WINDOWS }, (_, place) => (
        <span key={place} data-lit={place < lit} />
      ))}
    </span>
  )
}
