import type { ReactNode } from 'react'
import './_app.css'

export function App({ main }: { main: ReactNode }): ReactNode {
  return (
    <>
      {main}
      <p id="announcer" aria-live="polite" />
    </>
  )
}
