import type { ReactNode } from 'react'
import { total } from './total.ts'

export function Adder(): ReactNode {
  return (
    <button
      type="button"
      onClick={() => {
        total.value += 1
      }}
    >
      Add
    </button>
  )
}
