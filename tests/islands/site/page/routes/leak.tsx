import type { ReactNode } from 'react'
import { Island } from '../../../../../src/client/core/islands/island.tsx'
import { Leak } from '../../pieces/leak.island.tsx'

export const title = (): string => 'Leak'

export function Page({ secret }: { secret: number }): ReactNode {
  return <Island is={Leak} on="load" secret={secret} />
}
