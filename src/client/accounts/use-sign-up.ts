import { type InputEvent, type SubmitEvent, useState } from 'react'
import { toast } from '../shell/toasts/toast.ts'
import { readSignUpForm, type SignUpErrors, type SignUpFormValues, signUp, validateSignUp } from './sign-up.ts'

interface SignUpState {
  errors: SignUpErrors
  /** What was sent last. */
  submitted: SignUpFormValues | null
  isBusy: boolean
  submit(event: SubmitEvent<HTMLFormElement>): void
  /** Somebody mends a field: what was wrong with it is said no longer. */
  clearFieldError(event: InputEvent<HTMLFormElement>): void
}

/** What becomes of a filled form: sent once, and what is wrong is said where it is, and the first of it in a toast. */
export function useSignUp(isAccepted: boolean, onDone: () => void): SignUpState {
  const [faults, setFaults] = useState<SignUpErrors>({})
  const [tried, setTried] = useState<SignUpFormValues | null>(null)
  const [isBusy, setBusy] = useState(false)

  const send = async (form: HTMLFormElement): Promise<void> => {
    const typed = readSignUpForm(form)
    const here = validateSignUp(typed, isAccepted)
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
    errors: faults,
    submitted: tried,
    isBusy,
    submit: (event) => {
      event.preventDefault()
      if (!isBusy) void send(event.currentTarget)
    },
    clearFieldError: ({ target }) => {
      if (!(target instanceof HTMLInputElement) || !(target.name in faults)) return
      setFaults(Object.fromEntries(Object.entries(faults).filter(([name]) => name !== target.name)))
    },
  }
}

function isEmpty(faults: SignUpErrors): boolean {
  return Object.keys(faults).length === 0
}
