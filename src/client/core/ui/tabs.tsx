import { type KeyboardEvent, type ReactNode, useRef } from 'react'
import './tabs.lazy.css'

interface TabsProps<T extends string> {
  /** The accessible name of the row. */
  label: string
  tabs: readonly { tab: T; label: ReactNode }[]
  shown: T
  onSelect: (tab: T) => void
  /** A tab's id is this, a hyphen and its name; the panel has the id of `panelIdOf`. */
  id: string
  /** Stays in view above what scrolls. */
  isSticky?: boolean
}

/** A row of tabs after the ARIA pattern: the arrows, Home and End move. */
export function Tabs<T extends string>({
  label,
  tabs,
  shown,
  onSelect,
  id,
  isSticky = false,
}: TabsProps<T>): ReactNode {
  const list = useRef<HTMLDivElement>(null)
  const onKeyDown = (event: KeyboardEvent): void => {
    const at = tabs.findIndex(({ tab }) => tab === shown)
    const to = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: -1 }[event.key]
    const next = to === undefined ? undefined : tabs.at(to % tabs.length)
    if (!next) return
    event.preventDefault()
    onSelect(next.tab)
    list.current?.querySelector<HTMLElement>(`[data-tab="${next.tab}"]`)?.focus()
  }
  return (
    <div
      ref={list}
      className={isSticky ? 'tabs tabs--sticky' : 'tabs'}
      role="tablist"
      aria-label={label}
      onKeyDown={onKeyDown}
    >
      {tabs.map(({ tab, label: content }) => (
        <button
          key={tab}
          id={`${id}-${tab}`}
          data-tab={tab}
          type="button"
          role="tab"
          aria-selected={tab === shown}
          aria-controls={panelIdOf(id)}
          tabIndex={tab === shown ? 0 : -1}
          onClick={() => onSelect(tab)}
        >
          {content}
        </button>
      ))}
    </div>
  )
}

/** The attributes of the panel below a row of tabs. A scrolled panel must be reachable by keyboard. */
export function tabPanelProps(id: string, shown: string) {
  return { id: panelIdOf(id), role: 'tabpanel', 'aria-labelledby': `${id}-${shown}`, tabIndex: 0 } as const
}

function panelIdOf(id: string): string {
  return `${id}-panel`
}
