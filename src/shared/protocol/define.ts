import * as v from 'valibot'

/** Any schema that validates synchronously, as all on the wire do. */
export type Schema = v.GenericSchema

/** Who may send a command at all. What depends on the room or the row is decided by the command itself. */
export type Access = 'signedIn' | 'member' | 'rootadmin'

export interface CommandSpec<I extends Schema = Schema, A extends Schema = Schema> {
  input: I
  answer: A
  access: Access
  /** Fields in which a client may say who it is; one that disagrees with the session is refused. */
  identityFields?: readonly string[]
  /** True when it goes through the writer. */
  writes: boolean
  description: string
}

export interface EventSpec<P extends Schema = Schema> {
  payload: P
  /** True when it is a row of the event log (`[4, seq, ...]`), false when it is not kept (`[5, ...]`). */
  isLogged: boolean
  /** These are the words of whoever is its actor: they are kept from those who have blocked them. Deeds are told to all. */
  hiddenByBlock?: boolean
  /** Connections that hear it are closed with this code right after it. */
  closeCode?: number
  /** Whatever closes a connection after it closes it with this code. */
  closeCodeOverride?: number
  description: string
}

export type RouteAccess = 'anyone' | Access

export interface RouteSpec<I extends Schema = Schema, A extends Schema = Schema, X extends RouteAccess = RouteAccess> {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  /** Hono's notation, below `/api`: `/users/isRegister/:name`. */
  path: string
  /** Path parameters, query and body, merged into one object. */
  input: I
  answer: A
  access: X
  description: string
  /** Open to everybody while the site is under maintenance; others are open to root admins then. */
  isOpenInMaintenance?: boolean
  /** The names of files that may come beside the input, as `multipart/form-data`. A blank field counts as left out there. */
  fileFields?: readonly string[]
}

export function command<I extends Schema, A extends Schema>(spec: CommandSpec<I, A>): CommandSpec<I, A> {
  return spec
}

export function event<P extends Schema>(spec: EventSpec<P>): EventSpec<P> {
  return spec
}

export function route<I extends Schema, A extends Schema, X extends RouteAccess>(
  spec: RouteSpec<I, A, X>,
): RouteSpec<I, A, X> {
  return spec
}

/** A positive row id. */
export const Id = v.pipe(v.number(), v.safeInteger(), v.minValue(1))
/** An id in an address. */
export const IdText = v.pipe(v.string(), v.regex(/^[1-9]\d{0,15}$/), v.toNumber(), Id)
/** Epoch milliseconds. */
export const Time = v.pipe(v.number(), v.safeInteger(), v.minValue(0))
/** A place in the event log: the highest `seq` that a snapshot covers. 0 is before the first event. */
export const Cursor = v.pipe(v.number(), v.safeInteger(), v.minValue(0))
/** How many of something there are. */
export const Count = v.pipe(v.number(), v.safeInteger(), v.minValue(0))
/** Text whose surrogates pair up, so that it survives UTF-8. `max` counts UTF-16 units. */
export const Text = (max: number) =>
  v.pipe(
    v.string(),
    v.maxLength(max),
    v.check((text) => text.isWellFormed(), 'Invalid text: Received a lone surrogate'),
  )
/** A UUID that the client makes once per action and keeps across retries. */
export const ClientId = v.pipe(v.string(), v.uuid())

/** A closed switch ends here: adding a case without handling it fails the type check. */
export function unreachable(value: never): never {
  throw new Error(`unreachable: ${String(value)}`)
}
