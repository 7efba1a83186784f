import * as v from 'valibot'
import { Count, Id, loggedEvent, route, Text, Time } from '../protocol/define.ts'
import { CloseCode } from '../protocol/frame.ts'
import { RoomId, UserId } from '../protocol/ids.ts'
import { PrivacySettings } from '../settings/rules.ts'
import {
  AGE_INVALID,
  MAX_AGE,
  MAX_PASSWORD_LENGTH,
  MIN_AGE,
  MIN_PASSWORD_LENGTH,
  OWN_PASSWORD_MISSING,
  OWN_USERNAME_MISSING,
  PASSWORD_MISSING,
  PASSWORD_TOO_LONG,
  PASSWORD_TOO_SHORT,
  USERNAME_MISSING,
  USERNAME_TOO_SHORT,
} from './rules.ts'

export const Gender = v.picklist(['female', 'male', 'other'])
export const Platform = v.picklist(['web', 'mobile'])
export const Role = v.picklist(['guest', 'member', 'rootadmin'])

/** A user with the presence (specification 2, point 3, "User (listed)"). */
export const Person = v.object({
  id: UserId,
  username: v.string(),
  gender: v.nullable(Gender),
  avatarUrl: v.nullable(v.string()),
  isGuest: v.boolean(),
  isOnline: v.boolean(),
  role: Role,
  premiumStatus: v.picklist(['guest', 'premium']),
  /** When premium ends or ended; absent for users who have never had it. */
  premiumExpiryDate: v.optional(Time),
  lastLoginPlatform: Platform,
  /** Ghost-banned; sent to root admins only. */
  isGhost: v.optional(v.literal(true)),
})
export type Person = v.InferOutput<typeof Person>
/** A user as lists show one, without the presence. */
export const UserSummary = v.omit(Person, ['isOnline'])
export type UserSummary = v.InferOutput<typeof UserSummary>
export type Gender = v.InferOutput<typeof Gender>
export type Platform = v.InferOutput<typeof Platform>
export type Role = v.InferOutput<typeof Role>

/** The fields of a user that only the profile shows. */
export const ProfileDetails = v.object({
  /** In years. */
  age: v.nullable(Count),
  city: v.nullable(v.string()),
  bio: v.nullable(v.string()),
  /** Like `avatarUrl`, in the size for the profile. */
  largeAvatarUrl: v.nullable(v.string()),
})
export type ProfileDetails = v.InferOutput<typeof ProfileDetails>

/** Which blocks exist between two users, from the first one's side. */
export const BlockStatus = v.object({
  /** The first user has blocked the second. */
  hasBlockedProfile: v.boolean(),
  /** The second user has blocked the first. */
  isBlockedByProfile: v.boolean(),
})
export type BlockStatus = v.InferOutput<typeof BlockStatus>

/**
 * A user's profile (specification 1, point 3, "Profile"). With a block between the two users, it has only the fields of
 * `Person` and the block status.
 */
export const PublicProfile = v.object({
  ...Person.entries,
  ...v.partial(ProfileDetails).entries,
  /** Decide which buttons a profile offers. */
  ...v.partial(PrivacySettings).entries,
  connectedAt: v.optional(v.nullable(Time)),
  lastActive: v.optional(Time),
  status: BlockStatus,
  /** Whether the user is banned from the site; sent to root admins only. */
  isBanned: v.optional(v.boolean()),
  /** Where the user is muted (null: the whole site), as far as the viewer may lift it. Absent: nowhere. */
  mutedIn: v.optional(v.array(v.nullable(RoomId))),
})
export type PublicProfile = v.InferOutput<typeof PublicProfile>

/** The tokens and the user of a session: the answer of every sign-in. Only a root admin's log-in gives an admin token. */
export const SignedIn = v.object({
  success: v.literal(true),
  token: v.string(),
  adminToken: v.optional(v.string()),
  user: Person,
})
export type SignedIn = v.InferOutput<typeof SignedIn>

/** Letters up to Latin Extended-A: later blocks (small capitals, phonetic letters) have lookalikes. */
const usernamePattern = /^[A-Za-zÀ-ÖØ-öø-ſ0-9][A-Za-zÀ-ÖØ-öø-ſ0-9_.-]*$/u

/** A new name: 3 to 20 letters of the Turkish and Latin alphabets, digits, `_`, `-`, `.` (docs/product.md). */
export const Username = v.pipe(
  v.string(),
  v.normalize('NFKC'),
  v.trim(),
  v.minLength(3, USERNAME_TOO_SHORT),
  v.maxLength(20, 'Kullanıcı adı en fazla 20 karakter olabilir.'),
  v.regex(
    usernamePattern,
    'Kullanıcı adı harf ya da rakamla başlamalı; yalnızca harf, rakam, nokta, tire ve alt çizgi içerebilir.',
  ),
)

/** A new password. Only its hash is stored (server/features/accounts/passwords/password-hasher.ts). */
const NewPassword = v.pipe(
  v.string(PASSWORD_MISSING),
  v.minLength(MIN_PASSWORD_LENGTH, PASSWORD_TOO_SHORT),
  v.maxLength(MAX_PASSWORD_LENGTH, PASSWORD_TOO_LONG),
  v.check((text) => text.isWellFormed(), 'Şifrede okunamayan bir karakter var.'),
)

/** A member's age in years. */
export const Age = v.pipe(
  v.number(AGE_INVALID),
  v.integer(AGE_INVALID),
  v.minValue(MIN_AGE, AGE_INVALID),
  v.maxValue(MAX_AGE, AGE_INVALID),
)

/** An age as a number, or as the two digits that a form field holds. */
const SignUpAge = v.union(
  [Age, v.pipe(v.string(), v.trim(), v.regex(/^\d{2}$/, AGE_INVALID), v.transform(Number), Age)],
  AGE_INVALID,
)

export const TERMS_NOT_ACCEPTED = 'Gizlilik Sözleşmesini onaylamadan kayıt olamazsınız.'

/** The messages for missing fields of a sign-up. */
const missingFieldMessages = {
  username: USERNAME_MISSING,
  password: PASSWORD_MISSING,
  age: AGE_INVALID,
  termsAccepted: TERMS_NOT_ACCEPTED,
} as const

export const USER_NOT_FOUND_TEXT = 'Kullanıcı bulunamadı.'
/** A name to look up; names of over 64 characters are refused without a lookup. */
export const NameInput = v.pipe(Text(64), v.trim(), v.minLength(1, OWN_USERNAME_MISSING))
export const BrowserId = v.pipe(Text(64), v.minLength(1))

/** The messages of `forceDisconnect`, by why the session ended. */
export const sessionEndMessages = {
  loggedOut: 'Oturumun kapatıldı.',
  endedElsewhere: 'Bu oturum başka bir cihazından kapatıldı.',
  tooManySessions: 'Çok fazla yerde oturum açtın. En uzun süredir kullanılmayan bu oturum kapatıldı.',
  nameReleased: 'Uzun süredir burada değildin, adın serbest bırakıldı. Lütfen tekrar giriş yap.',
  passwordChanged: 'Şifren değiştirildi. Lütfen yeni şifrenle tekrar giriş yap.',
  tokenCopied: 'Bu oturumun anahtarı iki yerde kullanıldı. Güvenliğin için oturum kapatıldı, lütfen tekrar giriş yap.',
  becameRootAdmin: 'Yetkilerin değişti. Lütfen tekrar giriş yap.',
} as const

export const events = {
  userProfileUpdated: loggedEvent({
    description:
      "A user's name, avatar, role or profile has changed (sign-up, profile editor, promotion); sent to everyone, since " +
      'old messages anywhere may show the user. Lists of present users also get `userUpdated`.',
    payload: v.object({ user: UserSummary }),
  }),
  forceDisconnect: loggedEvent({
    description: 'This session has ended (log-out elsewhere, another session took over). The connection closes next.',
    effect: { closesWith: CloseCode.notSignedIn },
    payload: v.object({ message: v.string() }),
  }),
  sessionReplaced: loggedEvent({
    description:
      'What this session may do has changed (sign-up, changed password, promotion): it has another id, and tokens from ' +
      'before give no access. The connection waits for `userConnected` with a token of the new session and closes with ' +
      '4401 after 30 seconds. With `isRenewable` the token comes from `refresh-token`; else it is in the answer that the ' +
      'browser gets.',
    effect: 'suspends',
    payload: v.object({ sessionId: Id, isRenewable: v.boolean() }),
  }),
}

const signInFields = {
  browserId: v.optional(BrowserId),
  lastLoginPlatform: v.optional(Platform, 'web'),
}

export const routes = {
  guestLogin: route({
    description: 'Signs a guest in under a free name.',
    method: 'POST',
    path: '/users/guest-login',
    access: 'anyone',
    input: v.object({ username: Username, gender: v.optional(Gender), ...signInFields }),
    answer: SignedIn,
  }),
  login: route({
    description: 'Signs a member in.',
    method: 'POST',
    path: '/users/login',
    access: 'anyone',
    isOpenInMaintenance: true,
    input: v.object({
      username: NameInput,
      password: v.pipe(Text(128), v.minLength(1, OWN_PASSWORD_MISSING)),
      ...signInFields,
    }),
    answer: SignedIn,
  }),
  register: route({
    description:
      'Creates a member and signs them in. With the token of a guest, that guest becomes the member: id, session, room ' +
      'and connection stay. `termsAccepted` refers to the current terms.',
    method: 'POST',
    path: '/users/register',
    access: 'anyone',
    input: v.object(
      {
        username: Username,
        password: NewPassword,
        age: SignUpAge,
        gender: v.nullish(Gender),
        termsAccepted: v.literal(true, TERMS_NOT_ACCEPTED),
        ...signInFields,
      },
      ({ path }) => missingFieldMessages[path?.[0].key as keyof typeof missingFieldMessages], // no other field is asked for
    ),
    answer: SignedIn,
  }),
  confirmPassword: route({
    description:
      "An admin token for a root admin's password. It lasts for 15 minutes; then the password is asked for again. Attempts " +
      'count as log-ins.',
    method: 'POST',
    path: '/users/confirm-password',
    access: 'signedIn',
    input: v.object({ password: v.pipe(Text(128), v.minLength(1, OWN_PASSWORD_MISSING)) }),
    answer: v.object({ success: v.literal(true), adminToken: v.string() }),
  }),
  refreshToken: route({
    description: 'A new token for a session that has not ended, from its token or its cookie. Never an admin token.',
    method: 'POST',
    path: '/users/refresh-token',
    access: 'anyone',
    isOpenInMaintenance: true,
    input: v.object({}),
    answer: SignedIn,
  }),
  logOut: route({
    description: 'Ends this session everywhere. The token comes as a Bearer header, or as a field of a plain form.',
    method: 'POST',
    path: '/users/logout',
    access: 'anyone',
    isOpenInMaintenance: true,
    input: v.object({ token: v.optional(Text(4096)) }),
    answer: v.object({ success: v.literal(true) }),
  }),
  isRegister: route({
    description: 'Whether a member holds this name, whether it is free, and whether it is reserved for the staff.',
    method: 'GET',
    path: '/users/isRegister/:name',
    access: 'anyone',
    input: v.object({ name: NameInput }),
    answer: v.object({
      success: v.literal(true),
      isRegister: v.boolean(),
      available: v.boolean(),
      isReserved: v.boolean(),
    }),
  }),
  userByName: route({
    description:
      "A user's profile. `connectedAt` is the start of the current presence, null for an offline user; `lastActive` is " +
      'the last activity, to the minute. With a block between the two users, in either direction, it has only what ' +
      'lists show; root admins see all. Only root admins get `isBanned`; they and the staff of a room get `mutedIn`.',
    method: 'GET',
    path: '/users/username/:name',
    access: 'signedIn',
    input: v.object({ name: NameInput }),
    answer: v.object({ success: v.literal(true), user: PublicProfile }),
  }),
}

/** Schemas that documents describe once, by name. */
export const entities = { Person, SignedIn }
