import type { ReactNode } from 'react'
import { Island } from '../../../../../src/client/core/islands/island.tsx'
import { Counter } from '../../pieces/counter.island.tsx'

export const title = (): string => 'Moments'

export function Page({ start }: { start: number }): ReactNode {
  return (
    <>
      <Island is={Counter} on="afterLoad" label="After load" start={start} />
      <Island is={Counter} on="load" label="Load" start={start} />
      <Island is={Counter} on="idle" label="Idle" start={start} />
      <Island is={Counter} on="interaction" label="Interaction" start={start} />
      <div className="fold" />
      <Island is={Counter} on="visible" label="Visible" start={start} />
    </>
  )
}
