import { createContext, useContext, useEffect, useLayoutEffect, useRef } from 'react'

/** A page inside a section of 'Moderasyon', such as the reports about one user. */
export interface SectionPage {
  title: string
  leave: () => void
}

type ShowPage = (page: SectionPage | null) => void

/** Set by the screen around its section. */
export const SectionPageContext = createContext<ShowPage>(() => {})

/**
 * While `title` is not null, the head of 'Moderasyon' shows it with a back button, which calls `leave`, as Esc and Back do.
 * The section itself renders the page, and gives the focus back when it is left.
 */
export function useSectionPage(title: string | null, leave: () => void): void {
  const show = useContext(SectionPageContext)
  const latest = useRef(leave)
  useLayoutEffect(() => {
    latest.current = leave
  })
  useEffect(() => {
    if (title === null) return
    show({ title, leave: () => latest.current() })
    return () => show(null)
  }, [title, show])
}
