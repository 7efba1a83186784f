import type { ReactNode } from 'react'
import type { Person } from '../../../../shared/accounts/protocol.ts'
import type { ConversationEntry } from '../../../../shared/direct-messages/message.ts'
import { conversationTime, NO_CONVERSATIONS_TEXT } from '../../../../shared/direct-messages/rules.ts'
import { live } from '../../../core/live/state.ts'
import { OnlineDot } from '../../../core/presence/online-dot.tsx'
import { togglePanel } from '../../../core/shell/panels/panel-state.ts'
import { countText } from '../../../core/ui/format/turkish-number.ts'
import { CheckIcon } from '../../../core/ui/icons.tsx'
import { CloseIcon } from '../../../core/ui/lazy-icons.tsx'
import { PagedList } from '../../../core/ui/lists/paged-list.tsx'
import { Avatar } from '../../../core/ui/person/avatar.tsx'
import { PencilIcon } from '../../../core/ui/person/icons.tsx'
import { openDirectWindow } from '../../../model/direct-messages/open-window.ts'
import { hideConversation } from '../conversation-actions.ts'
import { DoubleCheckIcon } from '../icons.tsx'
import { conversationList } from './conversation-list-state.lazy.ts'
import './conversation-list.lazy.css'
import '../../../core/ui/unread-badge.lazy.css'

/** The viewer's conversations, the latest first. */
export function ConversationListPanel({ viewer }: { viewer: Person }): ReactNode {
  return (
    <div className="panel-scroll">
      {/* From the people there, a conversation begins. */}
      <button
        type="button"
        className="button conversations-new"
        onClick={() => togglePanel(viewer.role === 'rootadmin' ? 'allUsers' : 'roomActiveUsers')}
      >
        <PencilIcon size={18} />
        Yeni mesaj
      </button>
      <PagedList
        list={conversationList}
        empty={NO_CONVERSATIONS_TEXT}
        row={(entry) => <ConversationRow key={entry.id} entry={entry} />}
      />
    </div>
  )
}

function ConversationRow({ entry }: { entry: ConversationEntry }): ReactNode {
  const { username, isOnline, lastMessage, createdAt, isOwn, unreadCount } = entry
  return (
    <li className="conversation" data-unread={unreadCount > 0}>
      <button type="button" className="conversation-open" onClick={() => void openDirectWindow(entry)}>
        <span className="person-avatar">
          <Avatar user={entry} size={48} />
          <OnlineDot isOnline={isOnline} />
        </span>
        <span>
          <span className="row">
            <bdi className="grow truncate semibold">{username}</bdi>
            <time className="fixed faint tiny tabular" dateTime={new Date(createdAt).toISOString()}>
              {conversationTime(createdAt, live.serverNow())}
            </time>
          </span>
          <span className="row conversation-last">
            {isOwn && <ReadTick read={entry.read} />}
            <bdi className="grow truncate">{lastMessage}</bdi>
            {unreadCount > 0 && (
              <span className="unread-badge">
                {countText(unreadCount)}
                <span className="visually-hidden"> okunmamış mesaj</span>
              </span>
            )}
          </span>
        </span>
      </button>
      <button
        type="button"
        className="icon-button conversation-hide"
        aria-label={`Konuşmayı gizle: ${username}`}
        title="Konuşmayı gizle"
        onClick={() => void hideConversation(entry)}
      >
        <CloseIcon size={18} />
      </button>
    </li>
  )
}

/** Whether the other user has read the viewer's last message. */
function ReadTick({ read }: { read: boolean }): ReactNode {
  const label = read ? 'Okundu' : 'Gönderildi'
  return (
    <span className="inline fixed faint" data-read={read} role="img" aria-label={label} title={label}>
      {read ? <DoubleCheckIcon size={16} /> : <CheckIcon size={16} />}
    </span>
  )
}
