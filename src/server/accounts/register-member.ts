import type { Gender } from '../../shared/accounts/protocol.ts'
import { isReservedName } from '../../shared/accounts/rules.ts'
import { type Refusal, refuse } from '../../shared/protocol/refusals.ts'
import { foldName } from '../../shared/text/turkish.ts'
import { query } from '../database/query.ts'
import type { Actor, Claims, Transaction } from '../database/transact.ts'
import { bannedRefusal } from '../moderation/access.ts'
import { dropDoor } from '../moderation/note-door.ts'
import { getBanOnMarks, type Marks } from '../moderation/queries.ts'
import { getSignedIn, isNameFree, type SignedIn, userByFoldedName } from './queries.ts'
import { type Doorway, noteVisit, openSession, releaseGuest } from './sessions.ts'
import { tellProfile } from './tell-profile.ts'

export interface RegisterMember extends Doorway {
  username: string
  /** Computed before: the writer waits for nobody. */
  passwordHash: string
  /** In years. */
  age: number
  gender: Gender | null
  /** Of the terms that were accepted. */
  termsVersion: string
  marks: Marks
}

type Row = Pick<RegisterMember, 'username' | 'passwordHash' | 'age' | 'gender' | 'termsVersion' | 'platform'> & {
  foldedName: string
  now: number
}

const insertMember = query<{ [K in keyof Row]: Row[K] }>()((db, p) =>
  db.insertInto('user').values({
    username: p('username'),
    foldedName: p('foldedName'),
    isGuest: 0,
    role: 'member',
    gender: p('gender'),
    avatarUrl: null,
    passwordHash: p('passwordHash'),
    lastLoginPlatform: p('platform'),
    premiumUntil: null,
    createdAt: p('now'),
    lastSeenAt: p('now'),
    nameReleasedAt: null,
    age: p('age'),
    termsAcceptedAt: p('now'),
    termsVersion: p('termsVersion'),
  }),
)
const makeMember = query<{ [K in keyof Row]: Row[K] } & { id: number }>()((db, p) =>
  db
    .updateTable('user')
    .set((eb) => ({
      username: p('username'),
      foldedName: p('foldedName'),
      isGuest: 0,
      role: 'member',
      // Who gives none here keeps what they entered with.
      gender: eb.fn.coalesce(eb.val(p('gender')), 'gender'),
      passwordHash: p('passwordHash'),
      age: p('age'),
      termsAcceptedAt: p('now'),
      termsVersion: p('termsVersion'),
    }))
    .where('id', '=', p('id')),
)

/**
 * Makes a member under a free name. A guest who registers with their own session, which is `actor`, becomes that member
 * as they are: what they said, where they are and their connection stay theirs.
 */
export function registerMember(tx: Transaction, actor: Actor | null, input: RegisterMember): Claims | Refusal {
  if (isReservedName(input.username)) return refuse('UsernameReserved')
  const own = actor && getSignedIn(tx, actor)
  if (actor && !own) return refuse('SessionEnded')
  if (own?.user.isGuest === 0) return refuse('AlreadyMember')
  // Whoever is here already entered before anybody from their address was banned since.
  const ban = getBanOnMarks(tx, input.marks, own?.session.createdAt ?? tx.now, tx.now)
  if (ban) return bannedRefusal(ban)

  const row = rowOf(input, tx.now)
  const holder = tx.get(userByFoldedName, { foldedName: row.foldedName })
  if (holder && holder.id !== own?.user.id) {
    if (!isNameFree(holder, false, tx.now)) return refuse('UsernameTaken')
    releaseGuest(tx, holder.id)
  }
  if (own) return renewGuest(tx, own, row)
  const { lastId: userId } = tx.run(insertMember, row)
  return { userId, sessionId: openSession(tx, userId, input) }
}

function rowOf({ username, passwordHash, age, gender, termsVersion, platform }: RegisterMember, now: number): Row {
  return { username, foldedName: foldName(username), passwordHash, age, gender, termsVersion, platform, now }
}

function renewGuest(tx: Transaction, { user, session }: SignedIn, row: Row): Claims {
  tx.run(makeMember, { ...row, id: user.id })
  noteVisit(tx, user.id, row.platform)
  dropDoor(tx, user.id)
  tellProfile(tx, user.id)
  return { userId: user.id, sessionId: session.id }
}
