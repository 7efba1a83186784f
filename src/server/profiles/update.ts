import * as v from 'valibot'
import { picturePath } from '../../shared/media/rules.ts'
import type { routes } from '../../shared/profiles/protocol.ts'
import { type Clearable, isComplaint, readProfile } from '../../shared/profiles/rules.ts'
import { Refusal, refuse } from '../../shared/protocol/refusals.ts'
import { PrivacyChanges } from '../../shared/settings/rules.ts'
import type { WriteInput } from '../database/commands.ts'
import type { Actor } from '../database/transact.ts'
import { clientAddress } from '../http/client-address.ts'
import type { RouteCall } from '../http/mount.ts'
import type { World } from '../world.ts'

/** What is done with the password of whoever is signed in: the ways in have it (accounts/own-password.ts). */
export interface PasswordDoor {
  check(actor: Actor, password: string, address: string): Promise<string | Refusal>
  hash(password: string): Promise<string | Refusal>
}

type Update = WriteInput<'updateProfile'>
type Call = RouteCall<typeof routes.updateProfile>

/** The sides of a face in pixels: in lists, and where one looks at somebody. Both are enough for two of a screen's pixels each. */
const FACE_SIDES = [192, 640] as const

const NO_FACE = { avatarUrl: null, largeAvatarUrl: null }

/** Does all that is slow, and then changes the row: nothing of it unless everything is in order. */
export function profileUpdate(world: World, passwords: PasswordDoor) {
  return async (call: Call): Promise<Refusal | { success: true }> => {
    const { actor, input, files } = call
    const read = readProfile(input)
    if (isComplaint(read)) return refuse('InvalidInput', read)
    const waitMs = world.ownChanges.take(String(actor.userId), world.clock())
    if (waitMs > 0) return refuse('RateLimited', { waitMs })
    const { password, ...said } = read
    const hashes = password && (await newPassword(world, passwords, call, password))
    if (hashes instanceof Refusal) return hashes
    const avatar = files.get('avatar')
    const face = avatar && (await keepFace(world, avatar))
    if (face instanceof Refusal) return face
    return world.execute('updateProfile', actor, {
      shown: { ...emptied(input.clear), ...said, ...face },
      ...(hashes && { password: hashes }),
      privacy: v.parse(PrivacyChanges, input),
    })
  }
}

async function newPassword(
  { settings }: World,
  passwords: PasswordDoor,
  { actor, context }: Call,
  { current, next }: { current: string; next: string },
): Promise<Update['password'] | Refusal> {
  const checked = await passwords.check(actor, current, clientAddress(settings, context.env.incoming))
  if (checked instanceof Refusal) return checked
  const hash = await passwords.hash(next)
  return hash instanceof Refusal ? hash : { checked, next: hash }
}

/** Opens the picture and keeps it in both sizes. */
async function keepFace({ pictures, files }: World, avatar: Uint8Array): Promise<Update['shown'] | Refusal> {
  const squares = await pictures.squares(avatar, FACE_SIDES)
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
function emptied(clear: string | undefined): Update['shown'] {
  const columns = { bio: { bio: null }, city: { city: null }, age: { age: null }, avatar: NO_FACE } as const
  const names = (clear ? clear.split(',') : []) as Clearable[]
  return Object.assign({}, ...names.map((name) => columns[name]))
}
