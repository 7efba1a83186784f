import { type ComponentType, createContext, useContext } from 'react'
import type { Conversation } from './conversation.ts'
import type { Bubble, BubbleMedia } from './store/bubble.ts'

/** The conversation that the parts of a thread or a composer belong to. */
export const ConversationContext = createContext<Conversation | null>(null)

export function useConversation(): Conversation {
  const conversation = useContext(ConversationContext)
  if (!conversation) throw new Error('No conversation around this part')
  return conversation
}

/** The props of what shows the file of a message. */
export interface MediaViewProps {
  bubble: Bubble
  media: BubbleMedia
}

/** Shows the file of a message; null in conversations without files, which do not load it. */
export const MediaViewContext = createContext<ComponentType<MediaViewProps> | null>(null)
