import type { ReactNode } from 'react'
import { Island } from '../../../../../src/client/core/islands/island.tsx'
import { Counter } from '../../pieces/counter.island.tsx'
import './_app.css'

export function App({ main }: { main: ReactNode }): ReactNode {
  return (
    <>
      <header>
        <Island is={Counter} on="idle" label="Header" start={0} />
      </header>
      {main}
      <p id="announcer" aria-live="polite" />
    </>
  )
}
