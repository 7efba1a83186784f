import * as v from 'valibot'

/** Any schema that validates synchronously, as all on the wire do. */
export type Schema = v.GenericSchema

/** Who may send a command at all. What depends on the room or the row is decided by the command itself. */
export type Access = 'signedIn' | 'member' | 'rootadmin'

/**
 * How often one person may do something, over all of their connections and requests in a region: `points` at once, which
 * take `perMs` milliseconds to come back. Everything that names the same limit shares its points.
 */
export interface PersonLimit {
  points: number
  perMs: number
}

/** What a command and a route both declare. The server applies all of it before it calls the handler. */
interface Gate {
  limiter: PersonLimit | null
  /** Fields in which a client may say who it is; a value that disagrees with the session is refused. */
  identityFields: readonly string[]
  description: string
}

export interface CommandSpec<I extends Schema = Schema, A extends Schema = Schema> extends Gate {
  input: I
  answer: A
  access: Access
  /** `clientId`: it writes, and its input has a `clientId` under which a retry has one effect. */
  retry: 'clientId' | 'none'
}

/** What an event of the log does beside being delivered. */
export type EventEffect =
  | 'none'
  /** It takes back what earlier events said: a replay over it is not made. */
  | 'retracts'
  /** A connection that receives it is closed with this code right after it. */
  | { closesWith: number }
  /** A connection that received it closes with this code, whatever code the close gives. */
  | { overridesCloseCode: number }

/** An event that is a row of the log: `[4, seq, name, payload]`. */
export interface LoggedEventSpec<P extends Schema = Schema> {
  isLogged: true
  payload: P
  /** True when it says its actor's own words: people who have blocked the actor do not receive it. */
  hiddenByBlock: boolean
  effect: EventEffect
  description: string
}

/** An event that is sent and not kept: `[5, name, payload]`. */
export interface EphemeralEventSpec<P extends Schema = Schema> {
  isLogged: false
  payload: P
  description: string
}

export type EventSpec = LoggedEventSpec | EphemeralEventSpec

export type RouteAccess = 'anyone' | Access

export interface RouteSpec<I extends Schema = Schema, A extends Schema = Schema, X extends RouteAccess = RouteAccess>
  extends Gate {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  /** Hono's notation, below `/api`: `/users/isRegister/:name`. */
  path: string
  /** Path parameters, query and body, merged into one object. */
  input: I
  answer: A
  access: X
  /** `idempotencyKey`: under the same `Idempotency-Key` header a retry has one effect. */
  retry: 'idempotencyKey' | 'none'
  /** Open to everybody while the site is under maintenance; others are open to root admins then. */
  isOpenInMaintenance?: boolean
  /** The names of files that may come beside the input, as `multipart/form-data`. A blank field counts as left out there. */
  fileFields?: readonly string[]
}

/** The names of an object schema's fields. */
type FieldName<I extends Schema> = keyof v.InferInput<I> & string

// Marked as free of side effects, so that the browser loads no spec that it does not use.

/* @__NO_SIDE_EFFECTS__ */
export function command<I extends Schema, A extends Schema>(
  spec: CommandSpec<I, A> & { identityFields: readonly FieldName<I>[] },
): CommandSpec<I, A> {
  return spec
}

/* @__NO_SIDE_EFFECTS__ */
export function loggedEvent<P extends Schema>(spec: Omit<LoggedEventSpec<P>, 'isLogged'>): LoggedEventSpec<P> {
  return { isLogged: true, ...spec }
}

/* @__NO_SIDE_EFFECTS__ */
export function ephemeralEvent<P extends Schema>(spec: Omit<EphemeralEventSpec<P>, 'isLogged'>): EphemeralEventSpec<P> {
  return { isLogged: false, ...spec }
}

/* @__NO_SIDE_EFFECTS__ */
export function route<I extends Schema, A extends Schema, X extends RouteAccess>(
  spec: RouteSpec<I, A, X> & { identityFields: readonly FieldName<I>[] },
): RouteSpec<I, A, X> {
  return spec
}

/** A positive row id. */
export const Id = v.pipe(v.number(), v.safeInteger(), v.minValue(1))
/** An id in an address. */
/* @__NO_SIDE_EFFECTS__ */
export const idText = <I extends number>(id: v.GenericSchema<I>) =>
  v.pipe(v.string(), v.regex(/^[1-9]\d{0,15}$/), v.toNumber(), id)
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
