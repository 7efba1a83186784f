import type { Gender, Person } from '../accounts/protocol.ts'
import type { Message } from '../room-chat/message.ts'
import type { Room, RoomListing } from './protocol.ts'

/** A form that the server could not accept, sent back with its reason and what was typed (never the password). */
export interface SignInFormError {
  form: 'guest' | 'login' | 'register'
  /** In Turkish, to be shown as it is. */
  error: string
  username: string
  gender: Gender | null
  /** As it was typed; asked for where somebody registers. */
  age: string
  /** The path on this site that the form was to lead to. */
  next: string | null
}

/** What `/` is rendered from. */
export interface LandingPageProps {
  onlineCount: number
  /** The listed rooms, the liveliest first. */
  rooms: RoomListing[]
  /** Who the session cookie belongs to: one press enters again. */
  session: Person | null
  /** Why whoever the cookie belonged to may not enter, in Turkish. */
  notice: string | null
  /** The path on this site to go on to after entering, where one was asked for. */
  next: string | null
  /** Whoever looks wants to become a member, and may. */
  isSigningUp: boolean
  form?: SignInFormError
}

/** What `/room/{id}` is rendered from: one read of the database, whose place in the log is `cursor`. */
export interface RoomPageProps {
  room: Room
  /** The latest 40, oldest first. */
  messages: Message[]
  /** The first 100 people of the room, by name; `total` says how many there are. */
  users: Person[]
  total: number
  /** How many people are on the site. */
  onlineCount: number
  /** The listed rooms, the liveliest first. */
  rooms: RoomListing[]
  cursor: number
  /** Epoch milliseconds. */
  serverTime: number
  viewer: Person
}
