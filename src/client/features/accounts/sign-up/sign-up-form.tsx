import type { ReactNode } from 'react'
import { type Person, TERMS_NOT_ACCEPTED } from '../../../../shared/accounts/protocol.ts'
import type { SignInFormError } from '../../../../shared/rooms/page-props.ts'
import { Island } from '../../../core/islands/island.tsx'
import { errorTexts, inlineErrors } from '../../../core/ui/forms/inline-errors.ts'
import { BrowserFields } from '../sign-in/browser-fields.tsx'
import { NameField, PasswordField } from '../sign-in/credential-fields.island.tsx'
import { AgeField } from './age-field.tsx'
import { GenderRadio } from './gender-radio.tsx'
import { signUpNameProps, signUpPasswordProps } from './sign-up-field-props.ts'
import { TermsText } from './terms-text.tsx'
import '../../../core/ui/fold.css'
import './sign-up-form.css'

interface SignUpFormProps {
  rejected: SignInFormError | null
  next: string | null
  /** The guest who becomes a member; null without a session. */
  guest: Person | null
}

/** The sign-up form of the landing page. Works without scripts; the dialog of a room has the same fields. */
export function SignUpForm({ rejected, next, guest }: SignUpFormProps): ReactNode {
  const errorOf = (field: NonNullable<SignInFormError['field']>) => (rejected?.field === field ? rejected.error : null)
  const nameError = errorOf('username')
  return (
    <form
      className="stack gap-5"
      method="post"
      action="/api/users/register"
      data-refused={rejected?.error}
      {...inlineErrors}
    >
      <BrowserFields next={next} />
      {rejected && rejected.field === null && (
        <p className="field-error" role="alert">
          {rejected.error}
        </p>
      )}
      <Island
        is={NameField}
        on="interaction"
        {...signUpNameProps}
        initial={rejected?.username ?? guest?.username ?? ''}
        currentName={guest?.username ?? null}
        rejected={rejected && nameError !== null ? { username: rejected.username, error: nameError } : null}
      />
      <Island is={PasswordField} on="interaction" {...signUpPasswordProps} error={errorOf('password')} />
      <AgeField id="sign-up-age" initial={rejected?.age ?? ''} error={errorOf('age')} />
      <GenderRadio legend="Cinsiyetin (istersen)" chosen={(rejected ?? guest)?.gender ?? null} />
      <details className="fold terms-fold">
        <summary>Kullanım Sözleşmesini oku</summary>
        {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scroll container must be reachable by keyboard */}
        <section tabIndex={0} aria-label="Kullanım Sözleşmesi">
          <TermsText />
        </section>
      </details>
      <label className="terms-tick">
        <input
          type="checkbox"
          name="termsAccepted"
          value="true"
          required
          {...errorTexts({ missing: TERMS_NOT_ACCEPTED })}
        />
        <span>Kullanım Sözleşmesini ve Gizlilik Sözleşmesini okudum, onaylıyorum.</span>
      </label>
      <button type="submit" className="button button--large button--accent">
        Üye Ol
      </button>
    </form>
  )
}
