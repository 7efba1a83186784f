import type { ReactNode } from 'react'
import type { SignInFormError } from '../../shared/rooms/page-props.ts'
import { Island } from '../island.tsx'
import { AgeField } from './age-field.tsx'
import { BrowserFields } from './browser-fields.tsx'
import { NameField, PasswordField } from './credential-fields.island.tsx'
import { GenderRadio } from './gender-radio.tsx'
import { signUpNameProps, signUpPasswordProps } from './sign-up-field-props.ts'
import { TermsText } from './terms-text.tsx'
import '../ui/fold.css'
import './sign-up-form.css'

interface SignUpFormProps {
  rejected: SignInFormError | null
  next: string | null
  /** The name of the guest who becomes a member; null for a stranger. */
  currentName: string | null
}

/** Becoming a member on the landing page. Works without a script; the window of a room has the same fields. */
export function SignUpForm({ rejected: refused, next, currentName: own }: SignUpFormProps): ReactNode {
  return (
    <form className="sign-in-form" method="post" action="/api/users/register">
      <BrowserFields next={next} />
      {refused && (
        <p className="field-error" role="alert">
          {refused.error}
        </p>
      )}
      <Island
        is={NameField}
        on="interaction"
        {...signUpNameProps}
        initial={refused?.username ?? own ?? ''}
        currentName={own}
        rejected={null}
      />
      <Island is={PasswordField} on="interaction" {...signUpPasswordProps} error={null} />
      <AgeField id="sign-up-age" initial={refused?.age ?? ''} error={null} />
      <GenderRadio legend="Cinsiyetin (istersen)" chosen={refused?.gender ?? null} />
      <details className="fold terms-fold">
        <summary>Kullanım Sözleşmesini oku</summary>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what scrolls has to be reachable by keyboard */}
        <section className="terms-fold-text" tabIndex={0} aria-label="Kullanım Sözleşmesi">
          <TermsText />
        </section>
      </details>
      <label className="terms-tick">
        <input type="checkbox" name="termsAccepted" value="true" required />
        <span>Kullanım Sözleşmesini ve Gizlilik Sözleşmesini okudum, onaylıyorum.</span>
      </label>
      <button type="submit" className="button button--large button--accent">
        Üye Ol
      </button>
    </form>
  )
}
