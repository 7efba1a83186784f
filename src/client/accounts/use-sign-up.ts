import { type InputEvent, type SubmitEvent, useState } from 'react'
import { toast } from '../shell/toast.ts'
import { type Faults, faultsOf, signUp, type Typed, typedIn } from './sign-up.ts'

interface SignUp {
  faults: Faults
  /** What was sent last. */
  tried: Typed | null
  isBusy: boolean
  submit(event: SubmitEvent<HTMLFormElement>): void
  /** Somebody mends a field: what was wrong with it is said no longer. */
  mend(event: InputEvent<HTMLFormElement>): void
}

/** What becomes of a filled form: sent once, and what is wrong is said where it is, and the first of it in a toast. */
export function useSignUp(isAccepted: boolean, onDone: () => void): SignUp {
  const [faults, setFaults] = useState<Faults>({})
  const [tried, setTried] = useState<Typed | null>(null)
  const [isBusy, setBusy] = useState(false)

  const send = async (form: HTMLFormElement): Promise<void> => {
    const typed = typedIn(form)
    const here = faultsOf(typed, isAccepted)
    setBusy(true)
    const found = isEmpty(here) ? await signUp(typed) : here
    setBusy(false)
    setTried(typed)
    setFaults(found)
    const [first] = Object.entries(found)
    if (!first) return onDone()
    const [name, text] = first
    void toast(text, 'error')
    form.querySelector<HTMLInputElement>(`input[name=${name}]`)?.focus()
  }
  return {
    faults,
    tried,
    isBusy,
    submit: (event) => {
      event.preventDefault()
      if (!isBusy) void send(event.currentTarget)
    },
    mend: ({ target }) => {
      if (!(target instanceof HTMLInputElement) || !(target.name in faults)) return
      setFaults(Object.fromEntries(Object.entries(faults).filter(([name]) => name !== target.name)))
    },
  }
}

function isEmpty(faults: Faults): boolean {
  return Object.keys(faults).length === 0
}
