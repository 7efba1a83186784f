import { type ReactNode, useEffect, useState } from 'react'
import * as v from 'valibot'
import { type routes, Username } from '../../shared/accounts/protocol.ts'
import { ownSentences } from '../../shared/protocol/refusals.ts'
import { CheckIcon } from '../ui/icons.tsx'
import '../ui/field.css'

interface NameFieldProps {
  initial: string
  /** Why the server did not take `initial`, in Turkish. */
  error: string | null
}

type Verdict = { isFree: true } | { isFree: false; why: string }

/** Names are asked about when nothing was typed for this long. */
const PAUSE_MS = 400
/** Shorter than any name: somebody who is still typing is not told that it is too short. */
const SILENT_BELOW = 3

/** The guest's name. It is a plain field of a plain form; once touched, it says whether the name is free. */
export function NameField({ initial, error }: NameFieldProps): ReactNode {
  const [name, setName] = useState(initial)
  const verdict = useVerdict(name, initial)
  const wrong = verdict ? !verdict.isFree && verdict.why : name === initial && error
  return (
    <div className="field">
      <label className="field-label" htmlFor="guest-name">
        Adın
      </label>
      <input
        id="guest-name"
        className="field-input"
        name="username"
        type="text"
        defaultValue={initial}
        placeholder="Meydanda sana ne diyelim?"
        required
        minLength={3}
        maxLength={20}
        autoComplete="nickname"
        autoCapitalize="off"
        spellCheck={false}
        enterKeyHint="go"
        // biome-ignore lint/a11y/noAutofocus: whoever was refused comes back to try again
        autoFocus={error !== null}
        aria-describedby="guest-name-said"
        aria-invalid={Boolean(wrong)}
        onChange={(event) => setName(event.target.value)}
      />
      <p id="guest-name-said" className="name-said" aria-live="polite">
        {wrong && <span className="field-error">{wrong}</span>}
        {verdict?.isFree && (
          <span className="name-free">
            <CheckIcon size={15} /> Bu ad boşta, senin olabilir.
          </span>
        )}
        {!wrong && !verdict && 'Kayıt gerekmez. 3–20 harf, rakam, nokta ya da tire.'}
      </p>
    </div>
  )
}

/** What is known of a name that somebody is typing; null while nothing is. */
function useVerdict(name: string, initial: string): Verdict | null {
  const [known, setKnown] = useState<{ name: string; verdict: Verdict } | null>(null)
  useEffect(() => {
    if (name === initial || name.trim().length < SILENT_BELOW) return
    const asked = new AbortController()
    const timer = setTimeout(async () => {
      const verdict = await ask(name, asked.signal)
      if (verdict && !asked.signal.aborted) setKnown({ name, verdict })
    }, PAUSE_MS)
    return () => {
      clearTimeout(timer)
      asked.abort()
    }
  }, [name, initial])
  return known?.name === name ? known.verdict : null
}

/** Null when the server could not be asked: the form itself will tell. */
async function ask(name: string, signal: AbortSignal): Promise<Verdict | null> {
  const parsed = v.safeParse(Username, name)
  if (!parsed.success) return { isFree: false, why: parsed.issues[0].message }
  try {
    const response = await fetch(`/api/users/isRegister/${encodeURIComponent(parsed.output)}`, { signal })
    if (!response.ok) return null
    // Our own server validated it.
    const { available } = (await response.json()) as v.InferOutput<typeof routes.isRegister.answer>
    return available ? { isFree: true } : { isFree: false, why: ownSentences.UsernameTaken }
  } catch {
    return null
  }
}
