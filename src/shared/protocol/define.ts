import * as v from 'valibot'

/** Any schema that validates synchronously, as all on the wire do. */
export type Schema = v.GenericSchema

/** Who may send a command. The command itself checks permissions that depend on a room or a row. */
export type Access = 'signedIn' | 'member' | 'rootadmin'

/**
 * A rate limit per user (or address, where its docstring says so) and region, over all connections and requests: `points`
 * at once, refilled within `perMs` milliseconds. Commands and routes that name the same limit share its points.
 */
export interface PersonLimit {
  points: number
  perMs: number
}

/** Metadata of commands and routes, applied by the server before the handler. */
interface HandlerMetadata {
  limiter: PersonLimit | null
  /** Fields in which a client may name its user; a value that differs from the session is refused. */
  identityFields: readonly string[]
  description: string
}

export interface CommandSpec<I extends Schema = Schema, A extends Schema = Schema> extends HandlerMetadata {
  input: I
  answer: A
  access: Access
  /** `clientId`: it writes, and its input has a `clientId` under which a retry has one effect. */
  retry: 'clientId' | 'none'
}

/** The effect of a logged event beside its delivery. */
export type EventEffect =
  | 'none'
  /** Retracts earlier events: no replay is made across it. */
  | 'retracts'
  /** Suspends each receiving connection right after the event (server/kernel/live/publisher.ts). */
  | 'suspends'
  /** Closes each receiving connection with this code, right after the event. */
  | { closesWith: number }
  /** Overrides the close code of the event that closes the connection later. */
  | { overridesCloseCode: number }

/** An event that is a row of the log: `[4, seq, name, payload]`. */
export interface LoggedEventSpec<P extends Schema = Schema> {
  isLogged: true
  payload: P
  /** True if it contains text of its actor: users who have blocked the actor do not receive it. */
  hiddenByBlock: boolean
  /** Its payload has `isGhost`, set for root admins when the actor is ghost-banned. */
  marksGhosts?: true
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
  extends HandlerMetadata {
  method: 'GET' | 'POST' | 'PUT' | 'DELETE'
  /** Hono's notation, below `/api`: `/users/isRegister/:name`. */
  path: string
  /** Path parameters, query and body, merged into one object. */
  input: I
  answer: A
  access: X
  /** `idempotencyKey`: under the same `Idempotency-Key` header a retry has one effect. */
  retry: 'idempotencyKey' | 'none'
  /** Whether everybody may use it during maintenance; other routes are for root admins then. */
  isOpenInMaintenance?: boolean
  /** Names of file fields in a `multipart/form-data` body, in which blank fields count as absent. */
  fileFields?: readonly string[]
  /**
   * The one of them that may have up to 100 MB: a large form's is received on the disk. The input has `uploadId`, and the
   * handler uses `withRequestFile`.
   */
  largeFileField?: string
}

type Optional<T, K extends keyof T> = Omit<T, K> & Partial<Pick<T, K>>
/** The names of an object schema's fields. */
type FieldName<I extends Schema> = keyof v.InferInput<I> & string

/** What most commands and routes have. */
const DEFAULTS = { limiter: null, identityFields: [], retry: 'none' } as const

// Marked as free of side effects, so that browser bundles drop unused specs.

/** A command; it has no limiter of its own, names no user and does not write, where the specification says nothing else. */
/* @__NO_SIDE_EFFECTS__ */
export function command<I extends Schema, A extends Schema>(
  spec: Optional<CommandSpec<I, A>, keyof typeof DEFAULTS> & { identityFields?: readonly FieldName<I>[] },
): CommandSpec<I, A> {
  return { ...DEFAULTS, ...spec }
}

/** A logged event; it has no text of its actor and no effect, where the specification says nothing else. */
/* @__NO_SIDE_EFFECTS__ */
export function loggedEvent<P extends Schema>(
  spec: Optional<Omit<LoggedEventSpec<P>, 'isLogged'>, 'hiddenByBlock' | 'effect'>,
): LoggedEventSpec<P> {
  return { isLogged: true, hiddenByBlock: false, effect: 'none', ...spec }
}

/* @__NO_SIDE_EFFECTS__ */
export function ephemeralEvent<P extends Schema>(spec: Omit<EphemeralEventSpec<P>, 'isLogged'>): EphemeralEventSpec<P> {
  return { isLogged: false, ...spec }
}

/** A route; it has no limiter of its own, names no user and its retry has no key, where the specification says nothing else. */
/* @__NO_SIDE_EFFECTS__ */
export function route<I extends Schema, A extends Schema, X extends RouteAccess>(
  spec: Optional<RouteSpec<I, A, X>, keyof typeof DEFAULTS> & { identityFields?: readonly FieldName<I>[] },
): RouteSpec<I, A, X> {
  return { ...DEFAULTS, ...spec }
}

/** A positive row id. */
export const Id = v.pipe(v.number(), v.safeInteger(), v.minValue(1))
/** An id in a URL. */
/* @__NO_SIDE_EFFECTS__ */
export const idText = <I extends number>(id: v.GenericSchema<I>) =>
  v.pipe(v.string(), v.regex(/^[1-9]\d{0,15}$/), v.toNumber(), id)
/** Epoch milliseconds. */
export const Time = v.pipe(v.number(), v.safeInteger(), v.minValue(0))
/** The highest `seq` that a snapshot covers; 0 is before the first event. */
export const Cursor = v.pipe(v.number(), v.safeInteger(), v.minValue(0))
/** Where a page of a list starts: the sort key and the id of the last row before it, `<key>-<id>` (page-cursor.ts). */
export const PageCursor = v.pipe(v.string(), v.regex(/^\d{1,16}-\d{1,16}$/))
/** A non-negative count. */
export const Count = v.pipe(v.number(), v.safeInteger(), v.minValue(0))
/**
 * Text whose surrogates pair up, so that it survives UTF-8. `max` counts UTF-16 units; `message` is for a value that is no
 * text.
 */
export const Text = (max: number, message?: string) =>
  v.pipe(
    v.string(message),
    v.maxLength(max),
    v.check((text) => text.isWellFormed(), 'Invalid text: Received a lone surrogate'),
  )
/** A UUID that the client generates once per action and keeps across retries. */
export const ClientId = v.pipe(v.string(), v.uuid())
