import type { Gender, Person } from '../accounts/protocol.ts'
import type { signUpFieldOf } from '../accounts/rules.ts'
import type { Message } from '../room-chat/message.ts'
import type { Room, RoomListing } from './protocol.ts'

/** A refused form, rendered again with the reason and the typed values (never the password). */
export interface SignInFormError {
  form: 'guest' | 'login' | 'register'
  /** In Turkish, to be shown as it is. */
  error: string
  /** The field of the sign-up form that the error is about; null for the whole form. */
  field: ReturnType<typeof signUpFieldOf>
  username: string
  gender: Gender | null
  /** As typed; only on the sign-up form. */
  age: string
  /** The path on this site to open after the form. */
  next: string | null
  /** The form of a room's landing page, to which `next` leads. */
  isOfRoom: boolean
}

/** The props of `/`. */
export interface LandingPageProps {
  onlineCount: number
  /** The busiest of the listed rooms, the busiest first. */
  rooms: RoomListing[]
  /** The user of the session cookie, who signs in again with one click. */
  session: Person | null
  /** Why the user of the cookie may not enter, in Turkish. */
  notice: string | null
  /** The requested path on this site to open after the sign-in. */
  next: string | null
  /** Shows the sign-up form: it was requested, and registration is allowed. */
  isSigningUp: boolean
  form?: SignInFormError
}

/** The props of `/room/{id}` without a session. */
export interface RoomLandingPageProps {
  room: Pick<Room, 'id' | 'name' | 'hasPassword'>
  /** The first people of the room by name, without their pictures, which need a session; none of a room with a password. */
  people: Person[]
  /** How many people are in the room. */
  total: number
  /** The requested path, to open after the sign-in. */
  next: string
  form?: SignInFormError | undefined
}

/** The props of `/room/{id}`: one read of the database at the log position `cursor`. */
export interface RoomPageProps {
  room: Room
  /** The latest 40, oldest first. */
  messages: readonly Message[]
  /** The first 100 people of the room, by name; `total` says how many there are. */
  users: readonly Person[]
  total: number
  /** How many people are on the site. */
  onlineCount: number
  /** The busiest of the listed rooms, the busiest first. */
  rooms: readonly RoomListing[]
  /** How many rooms are listed. */
  roomCount: number
  cursor: number
  /** Epoch milliseconds. */
  serverTime: number
  viewer: Person
  /** Only where the room's message preference refuses the viewer. */
  writePermission?: { canWrite: boolean; placeholder: string } | undefined
}
