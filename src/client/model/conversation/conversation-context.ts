import { createContext, useContext } from 'react'
import type { Conversation } from './conversation.ts'

/** The conversation that the parts of a thread or a composer belong to. */
export const ConversationContext = createContext<Conversation | null>(null)

export function useConversation(): Conversation {
  const conversation = useContext(ConversationContext)
  if (!conversation) throw new Error('No conversation around this part')
  return conversation
}
