import type { Conversation } from './conversation.ts'

/** The open conversations of one kind by their ids: islands take an id as a prop, and find the object here. */
export class ConversationRegistry<C extends Conversation> {
  private readonly open = new Map<number, C>()
  private readonly create: (id: number) => C

  constructor(create: (id: number) => C) {
    this.create = create
  }

  /** The conversation, the same one until it is closed. */
  get(id: number): C {
    const known = this.open.get(id)
    if (known) return known
    const conversation = this.create(id)
    // The server renders for everybody, so it keeps none.
    if (!import.meta.env.SSR) this.open.set(id, conversation)
    return conversation
  }

  /** Closes and forgets it. */
  close(id: number): void {
    const conversation = this.open.get(id)
    this.open.delete(id)
    conversation?.close()
  }
}
