import type { ReactNode } from 'react'
import type { SignInFormError } from '../../../../shared/rooms/page-props.ts'
import { Island } from '../../../core/islands/island.tsx'
import { inlineErrors } from '../../../core/ui/forms/inline-errors.ts'
import { ArrowIcon } from '../../../core/ui/lazy-icons.tsx'
import { GenderRadio } from '../sign-up/gender-radio.tsx'
import { BrowserFields } from './browser-fields.tsx'
import { NameField } from './credential-fields.island.tsx'

interface GuestFormProps {
  rejected: SignInFormError | null
  next: string | null
  /** False when the card already has a link that continues a session. */
  isPrimary: boolean
}

/** The sign-in form of guests: a name and an optional gender. Works without scripts. */
export function GuestForm({ rejected, next, isPrimary }: GuestFormProps): ReactNode {
  return (
    <form id="guest-form" className="stack gap-5" method="post" action="/api/users/guest-login" {...inlineErrors}>
      <BrowserFields next={next} />
      <GuestNameField rejected={rejected} />
      <GenderRadio legend="Yüzünü seç" chosen={rejected?.gender ?? null} />
      <button type="submit" className={isPrimary ? 'button button--large button--accent' : 'button button--large'}>
        Meydana gir <ArrowIcon />
      </button>
    </form>
  )
}

/** The one field that a guest has to fill in. */
export function GuestNameField({ rejected }: Pick<GuestFormProps, 'rejected'>): ReactNode {
  return (
    <Island
      is={NameField}
      on="interaction"
      id="guest-name"
      label="Adın"
      placeholder="Meydanda sana ne diyelim?"
      hint="Kayıt gerekmez. 3–20 harf, rakam, nokta ya da tire."
      autoComplete="nickname"
      initial={rejected?.username ?? ''}
      rejected={rejected && { username: rejected.username, error: rejected.error }}
    />
  )
}
