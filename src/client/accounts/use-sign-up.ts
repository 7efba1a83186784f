import { type InputEvent, type SubmitEvent, useState } from 'react'
import { toast } from '../shell/toasts/toast.ts'
import { readSignUpForm, type SignUpErrors, type SignUpFormValues, signUp, validateSignUp } from './sign-up.ts'

interface SignUpState {
  errors: SignUpErrors
  /** The values of the last attempt. */
  submitted: SignUpFormValues | null
  isBusy: boolean
  submit(event: SubmitEvent<HTMLFormElement>): void
  /** Clears the error of a field that is being edited. */
  clearFieldError(event: InputEvent<HTMLFormElement>): void
}

/** Submits the sign-up form. Errors are shown at their fields, the first one also in a toast. */
export function useSignUp(isAccepted: boolean, onDone: () => void): SignUpState {
  const [errors, setErrors] = useState<SignUpErrors>({})
  const [submitted, setSubmitted] = useState<SignUpFormValues | null>(null)
  const [isBusy, setBusy] = useState(false)

  const send = async (form: HTMLFormElement): Promise<void> => {
    const values = readSignUpForm(form)
    const invalid = validateSignUp(values, isAccepted)
    setBusy(true)
    const found = isEmpty(invalid) ? await signUp(values) : invalid
    setBusy(false)
    setSubmitted(values)
    setErrors(found)
    const [first] = Object.entries(found)
    if (!first) return onDone()
    const [name, text] = first
    void toast(text, 'error')
    form.querySelector<HTMLInputElement>(`input[name=${name}]`)?.focus()
  }
  return {
    errors,
    submitted,
    isBusy,
    submit: (event) => {
      event.preventDefault()
      if (!isBusy) void send(event.currentTarget)
    },
    clearFieldError: ({ target }) => {
      if (!(target instanceof HTMLInputElement) || !(target.name in errors)) return
      setErrors(Object.fromEntries(Object.entries(errors).filter(([name]) => name !== target.name)))
    },
  }
}

function isEmpty(errors: SignUpErrors): boolean {
  return Object.keys(errors).length === 0
}
