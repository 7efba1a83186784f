import type { ReactNode } from 'react'
import { total } from './total.ts'

/** The mistake that frozen signals catch: data of one request kept in a module. */
export function Leak({ secret }: { secret: number }): ReactNode {
  total.value = secret
  return secret
}
