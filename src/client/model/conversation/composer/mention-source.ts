import type { Person } from '../../../../shared/accounts/protocol.ts'
import type { ReadonlySignal } from '../../../core/signals/signal.ts'

/** What the list of names shows of a user. */
export type MentionedUser = Pick<Person, 'id' | 'username' | 'avatarUrl' | 'gender' | 'isGuest'>

/** Who can be mentioned in a conversation. */
export interface MentionSource {
  /** The users loaded in this tab; `isComplete` when there are no others. */
  known: ReadonlySignal<{ users: readonly MentionedUser[]; isComplete: boolean }>
  /** Searches the server for users by a part of their name; null without an answer. */
  search(query: string): Promise<readonly MentionedUser[] | null>
  /** Reports changes of found users; returns the function that stops it. */
  onChange(listener: (update: (found: readonly MentionedUser[]) => readonly MentionedUser[]) => void): () => void
}
