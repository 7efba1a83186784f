import { type ReactNode, type RefObject, useEffect, useMemo, useRef } from 'react'
import { live } from '../../core/live/state.ts'
import { OnlineDot } from '../../core/presence/online-dot.tsx'
import { session } from '../../core/session/session.ts'
import { openOverlay } from '../../core/shell/overlays/overlays.ts'
import { useSignalValue } from '../../core/signals/use-signal-value.ts'
import { ArrowIcon } from '../../core/ui/lazy-icons.tsx'
import { ListFailure, ListLoading } from '../../core/ui/lists/paged-list.tsx'
import { MenuButton } from '../../core/ui/menu/menu-button.tsx'
import { Avatar } from '../../core/ui/person/avatar.tsx'
import { TierLabel } from '../../core/ui/person/tier-label.tsx'
import { callPersonOf } from '../../model/calls/call-person.ts'
import { PersonCallButtons } from '../../model/calls/person-call-buttons.tsx'
import { ComposerForm } from '../../model/conversation/composer/composer-form.tsx'
import { ThreadView } from '../../model/conversation/thread/thread-view.tsx'
import type { WindowUser } from '../../model/direct-messages/open-window.ts'
import { focusField } from '../../model/media/focus-field.ts'
import { openProfile } from '../../model/profiles/open-profile.ts'
import { type ConversationTarget, hideConversation } from './conversation-actions.ts'
import type { DirectConversation } from './direct-conversation.ts'
import { directConversations } from './state.ts'

interface ConversationPaneProps {
  user: WindowUser
  /** Only the header is shown. */
  isMinimised?: boolean
  /** Further buttons of the header. */
  children?: ReactNode
  onClose: () => void
}

/** The header, the messages and the composer of a conversation. */
export function ConversationPane({ user, isMinimised = false, children, onClose }: ConversationPaneProps): ReactNode {
  const conversation = useMemo(() => directConversations.openWith(user.id, user.username), [user.id, user.username])
  return (
    <>
      <header className="direct-head">
        <button type="button" className="icon-button" aria-label="Geri" onClick={onClose}>
          <ArrowIcon />
        </button>
        <RecipientSummary conversation={conversation} user={user} />
        <DirectCallButtons conversation={conversation} user={user} />
        <WindowMenu target={{ id: user.id, username: user.username }} isMinimised={isMinimised} />
        {children}
      </header>
      <ConversationBody conversation={conversation} username={user.username} isMinimised={isMinimised} />
    </>
  )
}

function RecipientSummary({ conversation, user }: { conversation: DirectConversation; user: WindowUser }): ReactNode {
  const recipient = useSignalValue(conversation.recipient, null)
  const { id, username } = recipient ?? user
  return (
    <>
      {/* A click on an element that names a person opens the profile. */}
      <span className="person-avatar" data-person={username}>
        <Avatar user={recipient ?? user} size={32} />
        {recipient && <OnlineDot isOnline={recipient.isOnline} />}
      </span>
      <span className="direct-recipient">
        <h2 id={`direct-title-${id}`}>
          <button type="button" data-person={username} aria-haspopup="dialog">
            <bdi>{username}</bdi>
          </button>
        </h2>
        {recipient ? (
          <TierLabel person={recipient} />
        ) : (
          <span className="tier">{user.isGuest ? 'Misafir' : 'Member'}</span>
        )}
      </span>
    </>
  )
}

/** The buttons that call the other user, once it is known who they are. */
function DirectCallButtons({ conversation, user }: { conversation: DirectConversation; user: WindowUser }): ReactNode {
  const recipient = useSignalValue(conversation.recipient, null)
  return (
    <PersonCallButtons
      person={recipient ?? callPersonOf(user)}
      target={recipient}
      className="icon-button"
      iconSize={20}
    />
  )
}

interface ConversationBodyProps {
  conversation: DirectConversation
  username: string
  isMinimised: boolean
}

function ConversationBody(props: ConversationBodyProps): ReactNode {
  const { conversation } = props
  const status = useSignalValue(conversation.status, conversation.status.peek())
  if (status.state === 'loading') return <ListLoading />
  if (status.state === 'failed') return <ListFailure reason={status.reason} reload={() => void conversation.start()} />
  return <OpenConversation key={conversation.key} {...props} />
}

function OpenConversation({ conversation, username, isMinimised }: ConversationBodyProps): ReactNode {
  const body = useRef<HTMLDivElement>(null)
  // Messages after this moment are new.
  const initial = useMemo(
    () => session.user && { messages: [], viewer: session.user, serverTime: live.serverNow() },
    [],
  )
  useAttention(conversation, body, isMinimised)
  useEffect(() => focusField(body.current?.querySelector('form')), [])
  if (!initial) return null
  return (
    <div ref={body} className="direct-body" data-conversation="direct">
      {/* A window that is restored shows what came meanwhile as unread. */}
      {!isMinimised && (
        <ThreadView
          conversation={conversation}
          initial={initial}
          label={`${username} ile mesajlar`}
          renderStart={(isEmpty) => <ThreadStart isEmpty={isEmpty} />}
        />
      )}
      <ComposerForm conversation={conversation} viewerId={initial.viewer.id} />
    </div>
  )
}

/** What precedes the first message. */
function ThreadStart({ isEmpty }: { isEmpty: boolean }): ReactNode {
  return (
    <div className="thread-start" data-empty={isEmpty}>
      <p>{isEmpty ? 'Henüz mesaj yok. İlk mesajı sen yaz.' : 'Konuşmanın başı'}</p>
    </div>
  )
}

/** Tells the conversation whether the viewer sees its end. */
function useAttention(
  conversation: DirectConversation,
  body: RefObject<HTMLElement | null>,
  isMinimised: boolean,
): void {
  useEffect(() => {
    const thread = body.current?.querySelector('.thread')
    if (!thread || isMinimised) return
    const update = (): void =>
      conversation.setAttended(document.visibilityState === 'visible' && thread.getAttribute('data-end') === 'true')
    update()
    const observer = new MutationObserver(update)
    observer.observe(thread, { attributeFilter: ['data-end'] })
    document.addEventListener('visibilitychange', update)
    return () => {
      observer.disconnect()
      document.removeEventListener('visibilitychange', update)
      conversation.setAttended(false)
    }
  }, [conversation, body, isMinimised])
}

/** The window's button with the actions on its conversation. */
function WindowMenu({ target, isMinimised }: { target: ConversationTarget; isMinimised: boolean }): ReactNode {
  const search = { label: 'Mesajlarda ara', run: () => void openOverlay('conversationSearch', { target }) }
  const entries = [
    { label: 'Profili aç', run: () => openProfile(target.username) },
    // A result is shown in the thread, which a minimised window does not have.
    ...(isMinimised ? [] : [search]),
    { label: 'Konuşmayı gizle', run: () => void hideConversation(target) },
    {
      label: 'Konuşmayı sil',
      isDestructive: true,
      run: () => void openOverlay('deleteConversation', { target }),
    },
  ]
  return <MenuButton label="Konuşma işlemleri" entries={entries} />
}
