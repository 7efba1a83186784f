import type { CommandAnswer, CommandInput } from '../../../shared/protocol/catalogue.ts'
import type { UserId } from '../../../shared/protocol/ids.ts'
import type { Refusal } from '../../../shared/protocol/refusals.ts'
import type { AppContext } from '../app-context.ts'
import type { LoggedEvent } from '../database/events/logged-event.ts'
import type { Stream } from '../database/events/streams.ts'
import type { Reader } from '../database/read.ts'
import type { Actor } from '../database/transaction.ts'
import type { SessionUser } from '../http/authentication.ts'
import type { Connection } from './connection.ts'

/** A hello with a valid session, within the snapshot that hello reads. */
export interface Handshake extends Pick<SessionUser, 'user' | 'session'> {
  context: AppContext
  connection: Connection
  reader: Reader
  actor: Actor
  input: CommandInput<'hello'> & { browserId: string }
}

/** What a feature adds to a connection when it opens. */
export interface HelloPart {
  /** The connection subscribes to these. */
  streams?: readonly Stream[]
  /** Streams of the earlier connection: subscribed and replayed only when the client resumes. */
  resumedStreams?: readonly Stream[]
  /** Fields added to the answer when the client resumes. */
  resumedAnswer?: Partial<CommandAnswer<'hello'>>
  /** Users whose messages the viewer does not receive. */
  blockedIds?: ReadonlySet<UserId>
  /** Runs when the connection is open and subscribed. */
  afterOpen?(): void
  /** Runs after the answer and the replay. */
  afterAnswer?(resumed: boolean): void
}

/** What a feature does in the live protocol on the main thread. */
export interface LiveHooks {
  /** Reads what the feature adds; a refusal ends the handshake. */
  onHello?(handshake: Handshake): HelloPart | Refusal
  /** Whether an event is left out of a replay because its subject was removed later, or closed to its receiver. */
  isObsolete?(reader: Reader, event: LoggedEvent, now: number): boolean
}
