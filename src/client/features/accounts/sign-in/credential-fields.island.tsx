import { type ReactNode, useEffect, useState } from 'react'
import * as v from 'valibot'
import { Username } from '../../../../shared/accounts/protocol.ts'
import {
  PASSWORD_MISSING,
  PASSWORD_TOO_SHORT,
  USERNAME_MISSING,
  USERNAME_TOO_SHORT,
} from '../../../../shared/accounts/rules.ts'
import { clientMessages } from '../../../../shared/protocol/refusals.ts'
import { isFailure } from '../../../../shared/protocol/result.ts'
import { foldName } from '../../../../shared/text/turkish.ts'
import { callApi } from '../../../core/http/call-api.ts'
import { errorTexts } from '../../../core/ui/forms/inline-errors.ts'
import { CheckIcon } from '../../../core/ui/icons.tsx'
import '../../../core/ui/forms/field.css'
import './credential-fields.css'
import { icon } from '../../../core/ui/composer-icons.tsx'

/** Icons of the sign-up forms. */
const eye = (
  <>
    <path d="M2.5 12S6 5.5 12 5.5 21.5 12 21.5 12 18 18.5 12 18.5 2.5 12 2.5 12Z" />
    <circle cx="12" cy="12" r="3" />
  </>
)

const EyeIcon = icon(eye)

const HiddenIcon = icon(
  <>
    {eye}
    <path d="m4.5 19.5 15-15" />
  </>,
)

interface NameFieldProps {
  id: string
  label: string
  placeholder?: string
  /** Shown below the field until the name is checked. */
  hint: string
  autoComplete: 'nickname' | 'username'
  initial: string
  /** The viewer's present name, which counts as free. */
  currentName?: string | null
  /** The name that the server refused, and the reason in Turkish. */
  rejected: { username: string; error: string } | null
}

type NameAvailability = { isFree: true } | { isFree: false; reason: string }

/** The server is asked about a name after this pause in typing. */
const NAME_CHECK_DEBOUNCE_MS = 400
/** The length of the shortest name: shorter input is not reported as wrong while the user types. */
const MIN_CHECKED_LENGTH = 3

/** A name for a guest or a member. A plain field of a form that, once hydrated, shows whether the name is free. */
export function NameField(props: NameFieldProps): ReactNode {
  const { id, label, placeholder, hint, autoComplete, initial, currentName = null, rejected } = props
  const [name, setName] = useState(initial)
  const availability = useNameAvailability(name, initial, currentName)
  const error =
    name === rejected?.username ? rejected.error : availability && !availability.isFree && availability.reason
  return (
    <div className="field">
      <label className="field-label" htmlFor={id}>
        {label}
      </label>
      <input
        id={id}
        className="field-input"
        name="username"
        type="text"
        defaultValue={initial}
        placeholder={placeholder}
        required
        {...errorTexts({ missing: USERNAME_MISSING, wrong: USERNAME_TOO_SHORT })}
        minLength={3}
        maxLength={20}
        autoComplete={autoComplete}
        autoCapitalize="off"
        spellCheck={false}
        enterKeyHint="go"
        // biome-ignore lint/a11y/noAutofocus: a refused user comes back to try again
        autoFocus={rejected !== null}
        aria-describedby={`${id}-note`}
        aria-invalid={Boolean(error)}
        onChange={(event) => setName(event.target.value)}
      />
      <NameNote
        id={`${id}-note`}
        error={error || null}
        isFree={availability?.isFree === true}
        hint={availability ? null : hint}
      />
    </div>
  )
}

interface NameNoteProps {
  id: string
  error: string | null
  isFree: boolean
  hint: ReactNode
}

function NameNote({ id, error, isFree, hint }: NameNoteProps): ReactNode {
  return (
    <p id={id} className="field-hint" aria-live="polite">
      {error && <span className="field-error">{error}</span>}
      {!error && isFree && (
        <span className="name-free">
          <CheckIcon size={15} /> Bu ad boşta, senin olabilir.
        </span>
      )}
      {!error && !isFree && hint}
    </p>
  )
}

interface PasswordFieldProps {
  id: string
  label: string
  hint: string
  autoComplete: 'new-password' | 'current-password'
  /** In Turkish. */
  error: string | null
}

/** A password with a button that shows it. Without scripts it is a plain field. */
export function PasswordField({ id, label, hint, autoComplete, error }: PasswordFieldProps): ReactNode {
  const [isShown, setShown] = useState(false)
  return (
    <div className="field">
      <label className="field-label" htmlFor={id}>
        {label}
      </label>
      <div className="password">
        <input
          id={id}
          className="field-input"
          name="password"
          type={isShown ? 'text' : 'password'}
          required
          {...errorTexts({ missing: PASSWORD_MISSING, wrong: PASSWORD_TOO_SHORT })}
          minLength={8}
          maxLength={128}
          autoComplete={autoComplete}
          autoCapitalize="off"
          spellCheck={false}
          // biome-ignore lint/a11y/noAutofocus: a refused user comes back to try again
          autoFocus={error !== null}
          aria-describedby={`${id}-note`}
          aria-invalid={error !== null}
        />
        <button
          type="button"
          className="icon-button"
          aria-label={isShown ? 'Şifreyi gizle' : 'Şifreyi göster'}
          aria-controls={id}
          onClick={() => setShown(!isShown)}
        >
          {isShown ? <HiddenIcon /> : <EyeIcon />}
        </button>
      </div>
      <p id={`${id}-note`} className={error === null ? 'field-hint' : 'field-error'}>
        {error ?? hint}
      </p>
    </div>
  )
}

/** Whether the typed name is free; null until it has been checked. */
function useNameAvailability(name: string, initial: string, own: string | null): NameAvailability | null {
  const [checked, setChecked] = useState<{ name: string; availability: NameAvailability } | null>(null)
  useEffect(() => {
    if (name === initial || name.trim().length < MIN_CHECKED_LENGTH) return
    const abort = new AbortController()
    const timer = setTimeout(async () => {
      const availability = await checkName(name, own, abort.signal)
      if (availability && !abort.signal.aborted) setChecked({ name, availability })
    }, NAME_CHECK_DEBOUNCE_MS)
    return () => {
      clearTimeout(timer)
      abort.abort()
    }
  }, [name, initial, own])
  return checked?.name === name ? checked.availability : null
}

/** Null when the server gave no answer: submitting the form will report errors. */
async function checkName(name: string, own: string | null, signal: AbortSignal): Promise<NameAvailability | null> {
  const parsed = v.safeParse(Username, name)
  if (!parsed.success) return { isFree: false, reason: parsed.issues[0].message }
  if (own !== null && foldName(parsed.output) === foldName(own)) return { isFree: true }
  const path = `/users/isRegister/${encodeURIComponent(parsed.output)}`
  const answer = await callApi<'isRegister'>(path, { as: 'anyone', signal })
  if (isFailure(answer)) return null
  if (answer.available) return { isFree: true }
  return { isFree: false, reason: clientMessages[answer.isReserved ? 'UsernameReserved' : 'UsernameTaken'] }
}
