import { type ReactNode, useId, useState } from 'react'
import './counter.css'

export function Counter({ start }: { start: number }): ReactNode {
  const [count, setCount] = useState(start)
  const id = useId()
  return (
    <button type="button" id={id} className="counter" onClick={() => setCount(count + 1)}>
      {count}
    </button>
  )
}
