import { type ReactNode, useEffect, useMemo, useState } from 'react'
import type { LiveClient } from '../../core/live/live-client.ts'
import { live } from '../../core/live/state.ts'
import type { OverlayProps } from '../../core/shell/overlays/overlays.ts'
import { LazySearchSheet } from '../../model/conversation/search/lazy-search-sheet.tsx'
import type { SearchSource } from '../../model/conversation/search/message-search.ts'
import { showMessage } from '../../model/conversation/thread/show-message.ts'
import type { ConversationTarget } from './conversation-actions.ts'
import type { DirectConversation } from './direct-conversation.ts'
import { directConversations } from './state.ts'

interface ConversationSearchProps extends OverlayProps {
  target: ConversationTarget
}

/** Finds messages of an open conversation. */
export function ConversationSearch({ target, onClose }: ConversationSearchProps): ReactNode {
  const [conversation] = useState(() => directConversations.find(target.id))
  const source = useMemo(() => conversation && directSearchSource(live, conversation), [conversation])
  useEffect(() => {
    // It may have been closed while this was loaded.
    if (!conversation) return onClose()
    const end = conversation.addListener({ onClosed: onClose })
    return () => void end()
  }, [conversation, onClose])
  if (!conversation || !source) return null
  return (
    <LazySearchSheet
      source={source}
      hint="Bu konuşmadaki mesajları sözcükleriyle bulabilirsin."
      show={(id, beforeScroll) => showMessage(conversation, id, beforeScroll)}
      onClose={onClose}
    />
  )
}

/** The messages of the conversation, as long as it is open. */
export function directSearchSource(
  live: Pick<LiveClient, 'on' | 'request'>,
  conversation: Pick<DirectConversation, 'userId' | 'addListener'>,
): SearchSource {
  return {
    requestPage: (input) => live.request('searchDirectMessages', { userId: conversation.userId, ...input }),
    subscribe: (results) => [
      live.on('directMessageRemoved', ({ id }) => results.removeMessage(id)),
      // A removal may be among the events that a reload stands for.
      conversation.addListener({ onRemoved: () => results.clear(), onReloaded: () => results.refresh() }),
    ],
  }
}
