import type { ReactNode } from 'react'
import { Island } from '../../../../../src/client/core/islands/island.tsx'
import { Counter } from '../../pieces/counter.island.tsx'

/** Whatever people may have written comes to a page as text: here in its title, its HTML and an island's props. */
export interface HostileProps {
  text: string
}

export const title = ({ text }: HostileProps): string => text
export const description = ({ text }: HostileProps): string => text

export function Page({ text }: HostileProps): ReactNode {
  return (
    <>
      <p title={text}>{text}</p>
      <Island is={Counter} on="load" label={text} start={0} />
    </>
  )
}
