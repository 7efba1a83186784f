import type { ReactNode } from 'react'
import { useSignalValue } from '../../../../src/client/core/signals/use-signal-value.ts'
import { total } from './total.ts'

export function Total({ initial }: { initial: number }): ReactNode {
  return <output>{useSignalValue(total, initial)}</output>
}
