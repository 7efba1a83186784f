import type { ReactNode } from 'react'
import { useSignal } from '../../../../src/client/use-signal.ts'
import { total } from './total.ts'

export function Total({ initial }: { initial: number }): ReactNode {
  return <output>{useSignal(total, initial)}</output>
}
