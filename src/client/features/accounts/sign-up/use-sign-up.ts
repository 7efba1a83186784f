import { type SubmitEvent, useState } from 'react'
import { TERMS_NOT_ACCEPTED } from '../../../../shared/accounts/protocol.ts'
import { toast } from '../../../core/shell/toasts/toast.ts'
import { hideRefusals, showFormErrors, showRefusal } from '../../../core/ui/forms/form-errors.ts'
import { readSignUpForm, signUp } from './sign-up.ts'

interface SignUpState {
  /** Why the form was not sent or was refused, where that is not about one field; in Turkish. */
  problem: string | null
  isBusy: boolean
  submit(event: SubmitEvent<HTMLFormElement>): void
}

/** Submits the sign-up form. Wrong fields show their errors; a refusal is shown in the form and in a toast. */
export function useSignUp(isAccepted: boolean, onDone: () => void): SignUpState {
  const [problem, setProblem] = useState<string | null>(null)
  const [isBusy, setBusy] = useState(false)

  const send = async (form: HTMLFormElement): Promise<void> => {
    hideRefusals(form)
    const isFilled = showFormErrors(form)
    setProblem(isAccepted ? null : TERMS_NOT_ACCEPTED)
    if (isFilled && !isAccepted) form.querySelector<HTMLElement>('.terms-row')?.focus()
    if (!isFilled || !isAccepted) return
    setBusy(true)
    const failure = await signUp(readSignUpForm(form))
    setBusy(false)
    if (!failure) return onDone()
    void toast(failure.text, 'error')
    if (!failure.field || !showRefusal(form, failure.field, failure.text)) setProblem(failure.text)
  }
  return {
    problem: isAccepted && problem === TERMS_NOT_ACCEPTED ? null : problem,
    isBusy,
    submit: (event) => {
      event.preventDefault()
      if (!isBusy) void send(event.currentTarget)
    },
  }
}
