import { type ReactNode, useId, useState } from 'react'
import './counter.css'

export interface CounterProps {
  label: string
  start: number
}

/** Says on the page whether the id that the server gave it is still its own. */
export function Counter({ label, start }: CounterProps): ReactNode {
  const [count, setCount] = useState(start)
  const id = useId()
  return (
    <p className="counter">
      <span id={id}>{label}</span>
      <button type="button" aria-labelledby={id} data-id={id} onClick={() => setCount(count + 1)}>
        {count}
      </button>
    </p>
  )
}
