import type { Conversation } from './conversation.ts'

/** The open conversations of one kind by their ids: islands take an id as a prop, and find the object here. */
export class ConversationRegistry<Id extends number, C extends Conversation> {
  protected readonly open = new Map<Id, C>()
  private readonly create: (id: Id) => C

  constructor(create: (id: Id) => C) {
    this.create = create
  }

  /** The conversation, the same one until it is closed. */
  get(id: Id): C {
    const existing = this.open.get(id)
    if (existing) return existing
    const conversation = this.create(id)
    // The server renders for all users, so it stores none.
    if (!import.meta.env.SSR) this.open.set(id, conversation)
    return conversation
  }

  /** Closes and removes it. */
  close(id: Id): void {
    const conversation = this.open.get(id)
    this.open.delete(id)
    conversation?.close()
  }
}
