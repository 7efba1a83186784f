import type { ReactNode } from 'react'
import { Island } from '../../../../../src/client/core/islands/island.tsx'
import { Names } from '../../pieces/names.island.tsx'

/** An array that islands of both parts get. */
interface SharedProps {
  names: string[]
}

export const title = (): string => 'Shared'

export function Frame({ main, names }: SharedProps & { main: ReactNode }): ReactNode {
  return (
    <div>
      <Island is={Names} on="load" label="Frame" names={names} />
      {main}
    </div>
  )
}

export function Page({ names }: SharedProps): ReactNode {
  return <Island is={Names} on="load" label="Page" names={names} />
}
