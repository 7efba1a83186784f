import type { ReactNode } from 'react'
import { Island } from '../../../../src/client/island.tsx'
import { Counter } from '../counter/counter.island.tsx'

export const title = (): string => 'Fixture'

export function Page({ start }: { start: number }): ReactNode {
  return (
    <div>
      <h1>Fixture</h1>
      <Island is={Counter} on="load" start={start} />
    </div>
  )
}
