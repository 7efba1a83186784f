import { type ReactNode, useEffect } from 'react'
import { loadPart } from '../load-part.ts'
import { isPanelOpen, panelState, togglePanel } from '../shell/panels/panel-state.ts'
import { countText } from '../ui/format/turkish-number.ts'
import { useSignalValue } from '../use-signal-value.ts'
import { MailIcon } from './icons.tsx'
import { unreadMessageCount } from './unread-count.ts'
import './unread-badge.later.css'

/** The header's button for the list of conversations, with the number of unread messages. */
export function ConversationsButton(): ReactNode {
  const state = useSignalValue(panelState, 'byWidth')
  const count = useSignalValue(unreadMessageCount, 0)
  useEffect(
    () => void loadPart(() => import('./conversation-list-state.ts')).then((loaded) => loaded.watchUnread()),
    [],
  )
  return (
    <button
      type="button"
      className="icon-button conversations-button"
      aria-label={count > 0 ? `Mesajlar, ${countText(count)} okunmamış` : 'Mesajlar'}
      title="Mesajlar"
      aria-expanded={isPanelOpen('dmList', state, true)}
      onClick={() => togglePanel('dmList')}
    >
      <MailIcon />
      {count > 0 && (
        <span className="unread-badge" aria-hidden="true">
          {count > 99 ? '99+' : countText(count)}
        </span>
      )}
    </button>
  )
}
