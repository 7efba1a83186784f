import { type ReactNode, useEffect, useState } from 'react'
import * as v from 'valibot'
import { Username } from '../../shared/accounts/protocol.ts'
import { clientMessages } from '../../shared/protocol/refusals.ts'
import { foldName } from '../../shared/text/turkish.ts'
import { callApi } from '../http/call-api.ts'
import { isFailure } from '../http/is-failure.ts'
import { CheckIcon } from '../ui/icons.tsx'
import { EyeIcon, HiddenIcon } from './icons.tsx'
import '../ui/field.css'
import './credential-fields.css'

interface NameFieldProps {
  id: string
  label: string
  placeholder?: string
  /** What is said while there is nothing else to say. */
  hint: string
  autoComplete: 'nickname' | 'username'
  initial: string
  /** The name that whoever types has already: it stays theirs. */
  currentName?: string | null
  /** The name that the server did not take, and why, in Turkish. */
  rejected: { username: string; error: string } | null
}

type NameAvailability = { isFree: true } | { isFree: false; why: string }

/** Names are asked about when nothing was typed for this long. */
const NAME_CHECK_DEBOUNCE_MS = 400
/** Shorter than any name: somebody who is still typing is not told that it is too short. */
const MIN_CHECKED_LENGTH = 3

/** A name for a guest or a member. It is a plain field of a plain form; once touched, it says whether the name is free. */
export function NameField(props: NameFieldProps): ReactNode {
  const { id, label, placeholder, hint, autoComplete, initial, currentName = null, rejected } = props
  const [name, setName] = useState(initial)
  const verdict = useNameAvailability(name, initial, currentName)
  const wrong = name === rejected?.username ? rejected.error : verdict && !verdict.isFree && verdict.why
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
        minLength={3}
        maxLength={20}
        autoComplete={autoComplete}
        autoCapitalize="off"
        spellCheck={false}
        enterKeyHint="go"
        // biome-ignore lint/a11y/noAutofocus: whoever was refused comes back to try again
        autoFocus={rejected !== null}
        aria-describedby={`${id}-note`}
        aria-invalid={Boolean(wrong)}
        onChange={(event) => setName(event.target.value)}
      />
      <NameNote
        id={`${id}-note`}
        wrong={wrong || null}
        isFree={verdict?.isFree === true}
        hint={verdict ? null : hint}
      />
    </div>
  )
}

interface NameNoteProps {
  id: string
  wrong: string | null
  isFree: boolean
  hint: ReactNode
}

function NameNote({ id, wrong, isFree, hint }: NameNoteProps): ReactNode {
  return (
    <p id={id} className="name-note" aria-live="polite">
      {wrong && <span className="field-error">{wrong}</span>}
      {!wrong && isFree && (
        <span className="name-free">
          <CheckIcon size={15} /> Bu ad boşta, senin olabilir.
        </span>
      )}
      {!wrong && !isFree && hint}
    </p>
  )
}

interface PasswordFieldProps {
  id: string
  label: string
  hint: string
  autoComplete: 'new-password' | 'current-password'
  /** Why it was not taken, in Turkish. */
  error: string | null
}

/** A password that whoever types it may look at. Without a script it is a plain field. */
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
          minLength={8}
          maxLength={128}
          autoComplete={autoComplete}
          autoCapitalize="off"
          spellCheck={false}
          aria-describedby={`${id}-note`}
          aria-invalid={error !== null}
        />
        <button
          type="button"
          className="icon-button password-eye"
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

/** What is known of a name that somebody is typing; null while nothing is. */
function useNameAvailability(name: string, initial: string, own: string | null): NameAvailability | null {
  const [known, setKnown] = useState<{ name: string; verdict: NameAvailability } | null>(null)
  useEffect(() => {
    if (name === initial || name.trim().length < MIN_CHECKED_LENGTH) return
    const asked = new AbortController()
    const timer = setTimeout(async () => {
      const verdict = await checkName(name, own, asked.signal)
      if (verdict && !asked.signal.aborted) setKnown({ name, verdict })
    }, NAME_CHECK_DEBOUNCE_MS)
    return () => {
      clearTimeout(timer)
      asked.abort()
    }
  }, [name, initial, own])
  return known?.name === name ? known.verdict : null
}

/** Null when the server could not be asked: the form itself will tell. */
async function checkName(name: string, own: string | null, signal: AbortSignal): Promise<NameAvailability | null> {
  const parsed = v.safeParse(Username, name)
  if (!parsed.success) return { isFree: false, why: parsed.issues[0].message }
  if (own !== null && foldName(parsed.output) === foldName(own)) return { isFree: true }
  const path = `/users/isRegister/${encodeURIComponent(parsed.output)}`
  const answer = await callApi<'isRegister'>(path, { as: 'anyone', signal })
  if (isFailure(answer)) return null
  return answer.available ? { isFree: true } : { isFree: false, why: clientMessages.UsernameTaken }
}
