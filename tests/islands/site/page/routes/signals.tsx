import type { ReactNode } from 'react'
import { Island } from '../../../../../src/client/core/islands/island.tsx'
import { Adder } from '../../pieces/adder.island.tsx'
import { Total } from '../../pieces/total.island.tsx'

export const title = (): string => 'Signals'

export function Page(): ReactNode {
  return (
    <>
      <Island is={Adder} on="load" />
      <Island is={Total} on="interaction" initial={0} />
    </>
  )
}
