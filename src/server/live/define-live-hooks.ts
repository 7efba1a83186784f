import type { CommandAnswer, CommandInput } from '../../shared/protocol/catalogue.ts'
import type { Refusal } from '../../shared/protocol/refusals.ts'
import type { SessionRow, UserRow } from '../accounts/queries.ts'
import type { AppContext } from '../app-context.ts'
import type { LoggedEvent } from '../database/events.ts'
import type { Reader } from '../database/read.ts'
import type { Stream } from '../database/streams.ts'
import type { Actor } from '../database/transact.ts'
import type { Connection } from './connection.ts'

/** A hello whose session is valid, in the snapshot that hello reads. */
export interface Handshake {
  context: AppContext
  connection: Connection
  reader: Reader
  actor: Actor
  user: UserRow
  session: SessionRow
  input: CommandInput<'hello'> & { browserId: string }
}

/** What a feature adds to a connection that opens. */
export interface HelloPart {
  /** The connection subscribes to these. */
  streams?: readonly Stream[]
  /** It subscribes to these only when it resumes: they are where a client was, and it replays them. */
  resumedStreams?: readonly Stream[]
  /** Fields of the answer when it resumes. */
  resumedAnswer?: Partial<CommandAnswer<'hello'>>
  /** Runs once the connection is open and subscribed. */
  afterOpen?(): void
  /** Runs after the answer and the replay. */
  afterAnswer?(resumed: boolean): void
}

/** What a feature does on the main thread for the live protocol. It exports `liveHooks` from its `live-hooks.ts`. */
export interface LiveHooks {
  /** Reads what the feature adds; a refusal ends the handshake. */
  onHello?(handshake: Handshake): HelloPart | Refusal
  /** Whether an event must not be replayed any more, because what it is about was removed later. */
  isObsolete?(reader: Reader, event: LoggedEvent): boolean
}
