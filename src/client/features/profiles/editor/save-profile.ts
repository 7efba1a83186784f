import type { OwnAccount } from '../../../../shared/profiles/protocol.ts'
import {
  type ClearableField,
  isProfileFieldError,
  type ProfileFieldError,
  type ProfileFields,
  parseProfile,
  profileTexts,
} from '../../../../shared/profiles/rules.ts'
import type { Refusal } from '../../../../shared/protocol/refusals.ts'
import { isFailure } from '../../../../shared/protocol/result.ts'
import { callApi } from '../../../core/http/call-api.ts'
import { session } from '../../../core/session/session.ts'
import { toast } from '../../../core/shell/toasts/toast.ts'
import { patchOwnAccount } from '../../../model/profiles/own-account.ts'
import type { AvatarChange } from './use-avatar.ts'

/** The texts of the fields; blank when empty. */
export type ProfileFormValues = { [name in keyof ProfileFields]-?: string }

/** An error text in Turkish and its field; null for the whole form. */
export interface ProfileFormError {
  path: keyof ProfileFields | 'avatar' | null
  message: string
}

const SERVER_UNREACHABLE_TEXT = 'Sunucuya ulaşılamadı. Bağlantını denetleyip tekrar dene.'
const errorFields: readonly ProfileFormError['path'][] = [
  'bio',
  'city',
  'age',
  'newPassword',
  'newPasswordConfirmation',
  'avatar',
]

/** The field texts of an account. */
export function formValuesOf({ bio, city, age }: OwnAccount): ProfileFormValues {
  const passwords = { currentPassword: '', newPassword: '', newPasswordConfirmation: '' }
  return { bio: bio ?? '', city: city ?? '', age: age === null ? '' : String(age), ...passwords }
}

/** Whether a field or the avatar differs from the account. */
export function hasProfileChanges(account: OwnAccount, filled: ProfileFormValues, face: AvatarChange): boolean {
  const before = formValuesOf(account)
  return (
    face !== 'unchanged' ||
    (Object.keys(before) as (keyof ProfileFormValues)[]).some((name) => before[name] !== filled[name])
  ) // its own keys
}

/** Validates the fields in the browser. Returns the first error, or null. */
export function validateProfileForm(filled: ProfileFormValues): ProfileFieldError | null {
  const read = parseProfile(filled)
  if (isProfileFieldError(read)) return read
  const wantsPassword = filled.newPassword !== '' && filled.currentPassword === ''
  return wantsPassword ? { path: 'currentPassword', message: profileTexts.currentMissing } : null
}

/** Sends the changed fields and shows the result in a toast. Returns the error, or null when they are saved. */
export async function saveProfile(
  account: OwnAccount,
  filled: ProfileFormValues,
  face: AvatarChange,
): Promise<ProfileFormError | null> {
  const body = buildFormData(account, filled, face)
  const answer = await callApi<'updateProfile'>('/users/profile', { as: 'user', method: 'PUT', body })
  if (isFailure(answer)) {
    void toast(profileTexts.notUpdated, 'error')
    return typeof answer === 'string' ? { path: null, message: SERVER_UNREACHABLE_TEXT } : formErrorOf(answer)
  }
  if (answer.token !== undefined) session.replaceToken(answer.token)
  patchOwnAccount(answer.user)
  void toast(answer.message, 'success')
  return null
}

function formErrorOf({ body: { code, path, message } }: Refusal): ProfileFormError {
  if (code === 'WrongPassword') return { path: 'currentPassword', message }
  if (code === 'UnsupportedMediaType' || code === 'TooLarge') return { path: 'avatar', message }
  return { path: errorFields.find((known) => known === path) ?? null, message }
}

/** Only changed fields are sent (specification 2, point 5); emptied ones are listed in `clear`. */
function buildFormData(account: OwnAccount, filled: ProfileFormValues, face: AvatarChange): FormData {
  const form = new FormData()
  const before = formValuesOf(account)
  const emptied: ClearableField[] = face === 'removed' ? ['avatar'] : []
  for (const name of ['bio', 'city', 'age'] as const) {
    const value = filled[name].trim()
    if (value === '' && before[name] !== '') emptied.push(name)
    else if (value !== before[name]) form.set(name, value)
  }
  if (filled.currentPassword && filled.newPassword) {
    for (const name of ['currentPassword', 'newPassword', 'newPasswordConfirmation'] as const) {
      form.set(name, filled[name])
    }
  }
  if (typeof face === 'object') form.set('avatar', face.file)
  if (emptied.length > 0) form.set('clear', emptied.join(','))
  return form
}
