import type { Person } from '../../../shared/accounts/protocol.ts'
import type { ReadonlySignal } from '../../signal.ts'

/** Who can be mentioned in a conversation. */
export interface MentionSource {
  /** Those whom this tab knows; complete where there is nobody beyond them. */
  known: ReadonlySignal<{ users: readonly Person[]; isComplete: boolean }>
  /** Asks the server for people by a part of their name; null when no answer came. */
  search(query: string): Promise<readonly Person[] | null>
  /** Reports how people that a search found have changed; answers what ends it. */
  onChange(listener: (update: (found: readonly Person[]) => readonly Person[]) => void): () => void
}
