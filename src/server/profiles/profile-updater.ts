import * as v from 'valibot'
import { picturePath } from '../../shared/media/rules.ts'
import type { routes } from '../../shared/profiles/protocol.ts'
import { type ClearableField, isProfileFieldError, parseProfile } from '../../shared/profiles/rules.ts'
import { Refusal, refuse } from '../../shared/protocol/refusals.ts'
import { PrivacyChanges } from '../../shared/settings/rules.ts'
import { updateProfile } from '../accounts/users/update-profile.ts'
import type { AppContext } from '../app-context.ts'
import type { InputOf } from '../database/define-write.ts'
import type { Actor } from '../database/transact.ts'
import { clientAddress } from '../http/client-address.ts'
import type { RouteCall } from '../http/route.ts'

/** What is done with the password of whoever is signed in: the ways in have it (accounts/own-password.ts). */
export interface PasswordVerifier {
  verify(actor: Actor, password: string, address: string): Promise<string | Refusal>
  hash(password: string): Promise<string | Refusal>
}

type Update = InputOf<typeof updateProfile>
type Call = RouteCall<typeof routes.updateProfile>

/** The sides of a face in pixels: in lists, and where one looks at somebody. Both are enough for two of a screen's pixels each. */
const AVATAR_SIZES_PX = [192, 640] as const

const NO_AVATAR = { avatarUrl: null, largeAvatarUrl: null }

/** Does all that is slow, and then changes the row: nothing of it unless everything is in order. */
export function createProfileUpdater(appContext: AppContext, passwords: PasswordVerifier) {
  return async (call: Call): Promise<Refusal | { success: true }> => {
    const { actor, input, files } = call
    const read = parseProfile(input)
    if (isProfileFieldError(read)) return refuse('InvalidInput', read)
    const { password, ...said } = read
    const hashes = password && (await preparePasswordChange(appContext, passwords, call, password))
    if (hashes instanceof Refusal) return hashes
    const avatar = files.get('avatar')
    const face = avatar && (await storeAvatar(appContext, avatar))
    if (face instanceof Refusal) return face
    return appContext.execute(updateProfile, actor, {
      columns: { ...clearedColumns(input.clear), ...said, ...face },
      ...(hashes && { password: hashes }),
      privacy: v.parse(PrivacyChanges, input),
    })
  }
}

async function preparePasswordChange(
  { settings }: AppContext,
  passwords: PasswordVerifier,
  { actor, context }: Call,
  { current, next }: { current: string; next: string },
): Promise<Update['password'] | Refusal> {
  const checked = await passwords.verify(actor, current, clientAddress(settings, context.env.incoming))
  if (checked instanceof Refusal) return checked
  const hash = await passwords.hash(next)
  return hash instanceof Refusal ? hash : { verifiedHash: checked, newHash: hash }
}

/** Opens the picture and keeps it in both sizes. */
async function storeAvatar({ pictures, files }: AppContext, avatar: Uint8Array): Promise<Update['columns'] | Refusal> {
  const squares = await pictures.cropToSquares(avatar, AVATAR_SIZES_PX)
  if (squares instanceof Refusal) return squares
  const paths: string[] = []
  for (const square of squares) {
    const kept = await files.put(square)
    if (kept instanceof Refusal) return kept
    paths.push(picturePath(kept.hash))
  }
  const [avatarUrl = null, largeAvatarUrl = null] = paths
  return { avatarUrl, largeAvatarUrl }
}

/** What `clear` empties; the schema has seen to its names. */
function clearedColumns(clear: string | undefined): Update['columns'] {
  const columns = { bio: { bio: null }, city: { city: null }, age: { age: null }, avatar: NO_AVATAR } as const
  const names = (clear ? clear.split(',') : []) as ClearableField[]
  return Object.assign({}, ...names.map((name) => columns[name]))
}
