import { type ReactNode, useEffect } from 'react'
import { loadLazy } from '../../loading/load-lazy.ts'
import type { ReadonlySignal } from '../../signals/signal.ts'
import { useSignalValue } from '../../signals/use-signal-value.ts'
import { countText } from '../../ui/format/turkish-number.ts'
import { isPanelOpen, type PanelName, panelState, togglePanel } from './panel-state.ts'
import '../../ui/unread-badge.lazy.css'

interface UnreadButtonProps {
  panel: PanelName
  title: string
  icon: ReactNode
  unread: ReadonlySignal<number>
  /** Loads what counts the unread things. */
  load: () => Promise<unknown>
}

/** A header's button for a panel, with the number of what is unread in it. */
export function UnreadButton({ panel, title, icon, unread, load }: UnreadButtonProps): ReactNode {
  const state = useSignalValue(panelState, 'byWidth')
  const count = useSignalValue(unread, 0)
  // biome-ignore lint/correctness/useExhaustiveDependencies: once
  useEffect(() => void loadLazy(load), [])
  return (
    <button
      type="button"
      className="icon-button unread-button"
      aria-label={count > 0 ? `${title}, ${countText(count)} okunmamış` : title}
      title={title}
      aria-expanded={isPanelOpen(panel, state, true)}
      onClick={() => togglePanel(panel)}
    >
      {icon}
      {count > 0 && (
        <span className="unread-badge" aria-hidden="true">
          {count > 99 ? '99+' : countText(count)}
        </span>
      )}
    </button>
  )
}
