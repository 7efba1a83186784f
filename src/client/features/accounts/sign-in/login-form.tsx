import type { ReactNode } from 'react'
import { OWN_PASSWORD_MISSING, OWN_USERNAME_MISSING } from '../../../../shared/accounts/rules.ts'
import type { SignInFormError } from '../../../../shared/rooms/page-props.ts'
import { errorTexts, inlineErrors } from '../../../core/ui/forms/inline-errors.ts'
import { BrowserFields, type BrowserFieldsProps } from './browser-fields.tsx'
import '../../../core/ui/forms/field.css'

interface LoginFormProps extends BrowserFieldsProps {
  rejected: SignInFormError | null
  /** The question before 'Giriş yap'. */
  prompt?: string
}

/** The sign-in form of members, collapsed at first. Works without scripts. */
export function LoginForm({ rejected, next, isOfRoom, prompt = 'Üye misin?' }: LoginFormProps): ReactNode {
  return (
    <details className="login" open={rejected !== null}>
      <summary>
        {prompt} <span>Giriş yap</span>
      </summary>
      <form className="stack gap-5" method="post" action="/api/users/login" {...inlineErrors}>
        <BrowserFields next={next} isOfRoom={isOfRoom} />
        {rejected && (
          <p id="login-error" className="field-error" role="alert">
            {rejected.error}
          </p>
        )}
        <LoginNameField initial={rejected?.username ?? ''} />
        <LoginPasswordField isRejected={rejected !== null} />
        <button type="submit" className="button button--large">
          Giriş yap
        </button>
      </form>
    </details>
  )
}

function LoginNameField({ initial }: { initial: string }): ReactNode {
  return (
    <div className="field">
      <label className="field-label" htmlFor="login-name">
        Kullanıcı adı
      </label>
      <input
        id="login-name"
        className="field-input"
        name="username"
        type="text"
        defaultValue={initial}
        required
        {...errorTexts({ missing: OWN_USERNAME_MISSING })}
        maxLength={64}
        autoComplete="username"
        autoCapitalize="off"
        spellCheck={false}
      />
    </div>
  )
}

function LoginPasswordField({ isRejected }: { isRejected: boolean }): ReactNode {
  return (
    <div className="field">
      <label className="field-label" htmlFor="login-password">
        Şifre
      </label>
      <input
        id="login-password"
        className="field-input"
        name="password"
        type="password"
        required
        {...errorTexts({ missing: OWN_PASSWORD_MISSING })}
        maxLength={128}
        autoComplete="current-password"
        // biome-ignore lint/a11y/noAutofocus: a refused user comes back to try again
        autoFocus={isRejected}
        {...(isRejected && { 'aria-invalid': true, 'aria-describedby': 'login-error' })}
      />
    </div>
  )
}
