import type { ReactNode } from 'react'
import type { SignInFormError } from '../../shared/rooms/page-props.ts'
import { Island } from '../island.tsx'
import { ArrowIcon } from '../ui/lazy-icons.tsx'
import { BrowserFields } from './browser-fields.tsx'
import { NameField } from './credential-fields.island.tsx'
import { GenderRadio } from './gender-radio.tsx'

interface GuestFormProps {
  rejected: SignInFormError | null
  next: string | null
  /** There is no nearer way in above it. */
  isPrimary: boolean
}

/** The guest's way in: a name, a face if wished, and one is on the square. Works without a script. */
export function GuestForm({ rejected: refused, next, isPrimary }: GuestFormProps): ReactNode {
  return (
    <form id="guest-form" className="sign-in-form" method="post" action="/api/users/guest-login">
      <BrowserFields next={next} />
      <Island
        is={NameField}
        on="interaction"
        id="guest-name"
        label="Adın"
        placeholder="Meydanda sana ne diyelim?"
        hint="Kayıt gerekmez. 3–20 harf, rakam, nokta ya da tire."
        autoComplete="nickname"
        initial={refused?.username ?? ''}
        rejected={refused && { username: refused.username, error: refused.error }}
      />
      <GenderRadio legend="Yüzünü seç" chosen={refused?.gender ?? null} />
      <button type="submit" className={isPrimary ? 'button button--large button--accent' : 'button button--large'}>
        Meydana gir <ArrowIcon />
      </button>
    </form>
  )
}
