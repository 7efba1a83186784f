import type { ReactNode } from 'react'
import type { Boot } from '../boot.ts'

export interface AppProps extends Boot {
  /** The `<main>` of the page, rendered already. */
  main: ReactNode
}

/** The shell: what stays while people move between pages. */
export function App({ main }: AppProps): ReactNode {
  return (
    <>
      {main}
      <p id="announcer" className="visually-hidden" aria-live="polite" />
    </>
  )
}
