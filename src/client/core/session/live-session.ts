import type { UserSummary } from '../../../shared/accounts/protocol.ts'
import type { UserId } from '../../../shared/protocol/ids.ts'

/** What the connection needs of the session (src/client/core/session/session.ts). */
export interface LiveSession {
  token(): string | null
  /** null when the storage was cleared while the page was open. */
  browserId(): string | null
  tabId(): string
  /** Calls `listener` when this browser gets another token, in this tab or another. */
  onToken(listener: () => void): void
  refresh(): Promise<'refreshed' | 'refused' | 'unreachable'>
  /** Clears the sign-in and goes to the landing page, which shows the message. */
  end(message?: string): void
  isRootAdmin(): boolean
  /** Whether this person is the one who is signed in. */
  isSelf(userId: UserId): boolean
  /** A user's name, avatar or role changed, maybe the signed-in user's. */
  applyUserUpdate(user: UserSummary): void
  /** As `end`, and the session is over everywhere. False when the server could not be reached: then nothing has changed. */
  logOut(message?: string): Promise<boolean>
  /** Goes to the landing page, still signed in. */
  returnHome(): void
  /** Opens the present page again. */
  enterAgain(): void
  /** Calls `listener` when the session ends in this tab, for any reason. */
  onEnd(listener: (message?: string) => void): void
}
