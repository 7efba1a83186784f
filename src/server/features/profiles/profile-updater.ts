import * as v from 'valibot'
import { picturePath } from '../../../shared/media/rules.ts'
import type { routes } from '../../../shared/profiles/protocol.ts'
import { type ClearableField, isProfileFieldError, parseProfile } from '../../../shared/profiles/rules.ts'
import { Refusal, refuse } from '../../../shared/protocol/refusals.ts'
import { PrivacyChanges } from '../../../shared/settings/rules.ts'
import type { AppContext } from '../../kernel/app-context.ts'
import type { InputOf } from '../../kernel/database/define-write.ts'
import type { Claims } from '../../kernel/database/transact.ts'
import type { RouteCall } from '../../kernel/http/route.ts'
import type { PasswordVerifier } from '../../model/accounts/passwords.ts'
import { updateProfile } from './update-profile.ts'

type Update = InputOf<typeof updateProfile>
type Call = RouteCall<typeof routes.updateProfile>

/** Edge lengths of an avatar: for lists, and for a profile. Both cover screens with two device pixels per CSS pixel. */
const AVATAR_SIZES_PX = [192, 640] as const

const NO_AVATAR = { avatarUrl: null, largeAvatarUrl: null }

/** Hashes the password and stores the avatar first, then updates the row in one command: an invalid field changes nothing. */
export function createProfileUpdater(appContext: AppContext, passwords: PasswordVerifier) {
  return async (call: Call): Promise<Refusal | { success: true; claims?: Claims }> => {
    const { actor, input, files } = call
    const parsed = parseProfile(input)
    if (isProfileFieldError(parsed)) return refuse('InvalidInput', parsed)
    const { password, ...columns } = parsed
    const hashes = password && (await preparePasswordChange(passwords, call, password))
    if (hashes instanceof Refusal) return hashes
    const avatar = files.get('avatar')
    const avatarColumns = avatar && (await storeAvatar(appContext, avatar))
    if (avatarColumns instanceof Refusal) return avatarColumns
    const updated = await appContext.execute(updateProfile, actor, {
      columns: { ...clearedColumns(input.clear), ...columns, ...avatarColumns },
      ...(hashes && { password: hashes }),
      privacy: v.parse(PrivacyChanges, input),
    })
    if (hashes && !(updated instanceof Refusal)) passwords.rememberDevice(actor, call.context)
    return updated
  }
}

async function preparePasswordChange(
  passwords: PasswordVerifier,
  { actor, context }: Call,
  { current, next }: { current: string; next: string },
): Promise<Update['password'] | Refusal> {
  const verifiedHash = await passwords.verify(actor, current, context)
  if (verifiedHash instanceof Refusal) return verifiedHash
  const newHash = await passwords.hash(actor, next, context)
  return newHash instanceof Refusal ? newHash : { verifiedHash, newHash }
}

/** Decodes the picture, crops it and stores it in both sizes. Refuses when it cannot be decoded or stored. */
async function storeAvatar({ pictures, files }: AppContext, avatar: Uint8Array): Promise<Update['columns'] | Refusal> {
  const squares = await pictures.cropToSquares(avatar, AVATAR_SIZES_PX)
  if (squares instanceof Refusal) return squares
  const paths: string[] = []
  for (const square of squares) {
    const stored = await files.put(square)
    if (stored instanceof Refusal) return stored
    paths.push(picturePath(stored.hash))
  }
  const [avatarUrl = null, largeAvatarUrl = null] = paths
  return { avatarUrl, largeAvatarUrl }
}

/** The columns that `clear`, a comma-separated list, sets to null. */
function clearedColumns(clear: string | undefined): Update['columns'] {
  const columns = { bio: { bio: null }, city: { city: null }, age: { age: null }, avatar: NO_AVATAR } as const
  const names = (clear ? clear.split(',') : []) as ClearableField[] // the schema has checked the names
  return Object.assign({}, ...names.map((name) => columns[name]))
}
