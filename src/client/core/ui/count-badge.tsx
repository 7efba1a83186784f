import type { ReactNode } from 'react'
import type { ReadonlySignal } from '../signals/signal.ts'
import { useSignalValue } from '../signals/use-signal-value.ts'
import { countText } from './format/turkish-number.ts'
import './unread-badge.lazy.css'

/** A number beside the label of a menu entry or a section; 0 is not shown. */
export interface LabelBadge {
  count: ReadonlySignal<number>
  /** What the number counts, for screen readers: '3 açık şikâyet'. */
  describe: (count: number) => string
}

/** The badge of a label, as part of its accessible name. */
export function CountBadge({ badge: { count: source, describe } }: { badge: LabelBadge }): ReactNode {
  const count = useSignalValue(source, 0)
  if (count === 0) return null
  return (
    <>
      <span className="unread-badge" aria-hidden="true">
        {count > 99 ? '99+' : countText(count)}
      </span>
      <span className="visually-hidden">, {describe(count)}</span>
    </>
  )
}
