import type { Selectable } from 'kysely'
import type { Person } from '../../../shared/accounts/protocol.ts'
import type { Refusal } from '../../../shared/protocol/refusals.ts'
import type { Reader } from '../database/read.ts'
import type { KernelTables } from '../database/schema.ts'
import type { Actor, Claims } from '../database/transaction.ts'
import { Service } from '../feature-services.ts'
import type { NodeContext } from './node-app.ts'

/** The signed-in visitor of a page, with the tokens that the page carries: the admin token only after a log-in by form. */
export interface PageSession {
  actor: Actor
  person: Person
  token: string
  adminToken?: string
}

/** An actor's rows, and the user as lists show one. */
export interface SessionUser {
  user: Selectable<KernelTables['user']>
  session: Selectable<KernelTables['session']>
  person: Person
}

/** What the core asks about users and sessions. */
export interface Authentication {
  /** The actor of a user token. Refuses with SessionEnded, Banned or RegionCut. */
  authenticate(token: string): Promise<Actor | Refusal>
  /** The actor of an admin token. Refuses a user token with Forbidden, and an expired one with PasswordRequired. */
  authenticateAdmin(token: string): Promise<Actor | Refusal>
  /** The actor by token, or by cookie as browsers send it with image requests; null when the request has neither. */
  authenticateRequest(context: NodeContext): Promise<Actor | Refusal | null>
  /** A token of a session that was replaced in this request; also sets the session cookie. */
  signInAgain(context: NodeContext, claims: Claims): Promise<string | Refusal>
  /** The visitor of a page; null without a live session. Refuses with Banned or RegionCut. */
  readPageSession(context: NodeContext): Promise<PageSession | Refusal | null>
  /** The rows of a session in this reader's snapshot; null when the session has ended. */
  findSessionUser(reader: Reader, claims: Claims): SessionUser | null
}

export const authentication = new Service<Authentication>('authentication')

/** Closes the site to everyone but root admins, for maintenance. */
export interface Maintenance {
  isClosedTo(role: Actor['role'] | null): boolean
}

export const maintenance = new Service<Maintenance>('maintenance')
