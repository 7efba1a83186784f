import latin from '@fontsource-variable/inter/files/inter-latin-wght-normal.woff2?url'
import type { ReactNode } from 'react'
import type { Boot } from '../../core/session/boot.ts'
import '../../core/styles/base.css'
import turkish from '../../core/styles/inter-turkish.woff2?url'

interface AppProps extends Boot {
  /** The rendered `<main>` of the page, in the page's own frame if it has one. */
  main: ReactNode
}

/** Turkish needs both parts of the typeface at once. */
export const fonts = [latin, turkish]

/** The shell, which stays while users move between pages. */
export function App({ main }: AppProps): ReactNode {
  return (
    <>
      <a className="skip-link" href="#main">
        İçeriğe geç
      </a>
      {main}
      <p id="announcer" className="visually-hidden" aria-live="polite" />
    </>
  )
}
