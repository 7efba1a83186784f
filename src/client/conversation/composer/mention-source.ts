import type { Person } from '../../../shared/accounts/protocol.ts'
import type { ReadonlySignal } from '../../signal.ts'

/** Who can be mentioned in a conversation. */
export interface MentionSource {
  /** The users loaded in this tab; `isComplete` when there are no others. */
  known: ReadonlySignal<{ users: readonly Person[]; isComplete: boolean }>
  /** Searches the server for users by a part of their name; null without an answer. */
  search(query: string): Promise<readonly Person[] | null>
  /** Reports changes of found users; returns the function that stops it. */
  onChange(listener: (update: (found: readonly Person[]) => readonly Person[]) => void): () => void
}
