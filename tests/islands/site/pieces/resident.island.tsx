import { type ReactNode, useEffect, useState } from 'react'
import { total } from './total.ts'

declare global {
  interface Window {
    /** How many residents are mounted. */
    residents?: number
  }
}

/** Holds what leaks if it is not unmounted: a timer, a listener and a subscription. */
export function Resident({ people }: { people: string[] }): ReactNode {
  const [, setSeconds] = useState(0)
  useEffect(() => {
    window.residents = (window.residents ?? 0) + 1
    const timer = setInterval(() => setSeconds((seconds) => seconds + 1), 1000)
    const unsubscribe = total.subscribe(() => {})
    return () => {
      window.residents = (window.residents ?? 0) - 1
      clearInterval(timer)
      unsubscribe()
    }
  }, [])
  return (
    <ul>
      {people.map((person) => (
        <li key={person}>{person}</li>
      ))}
    </ul>
  )
}
