import { type SubmitEvent, useState } from 'react'
import * as v from 'valibot'
import { Gender, TERMS_NOT_ACCEPTED } from '../../../../shared/accounts/protocol.ts'
import { parseAge, SIGN_UP_DONE, signUpFieldOf } from '../../../../shared/accounts/rules.ts'
import { Refusal } from '../../../../shared/protocol/refusals.ts'
import { callApi } from '../../../core/http/call-api.ts'
import { session } from '../../../core/session/session.ts'
import { toast } from '../../../core/shell/toasts/toast.ts'
import { hideRefusals, showFormErrors, showRefusal } from '../../../core/ui/forms/form-errors.ts'

/** The raw values of the form. */
interface SignUpFormValues {
  username: string
  password: string
  age: string
  gender: Gender | null
}

interface SignUpFailure {
  /** The field that it is about; null for the whole form. */
  field: ReturnType<typeof signUpFieldOf>
  /** In Turkish. */
  text: string
}

/** Shown when the server gives no answer (specification 1, point 8). */
const SIGN_UP_FAILED = 'Kayıt başarısız. Lütfen tekrar deneyin.'

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

function readSignUpForm(form: HTMLFormElement): SignUpFormValues {
  const data = new FormData(form)
  const text = (name: string): string => String(data.get(name) ?? '')
  const gender = data.get('gender')
  return {
    username: text('username'),
    password: text('password'),
    age: text('age'),
    gender: v.is(Gender, gender) ? gender : null,
  }
}

/** Makes this browser's guest a member without leaving the room. Returns why it failed; null means success. */
async function signUp({ gender, ...values }: SignUpFormValues): Promise<SignUpFailure | null> {
  const { browserId, lastLoginPlatform } = session.formFields()
  const body = {
    ...values,
    age: parseAge(values.age),
    ...(gender && { gender }),
    ...(browserId && { browserId }),
    lastLoginPlatform,
    termsAccepted: true,
  }
  const answer = await callApi<'register'>('/users/register', { as: 'user', body })
  if (typeof answer === 'string') return { field: null, text: SIGN_UP_FAILED }
  if (answer instanceof Refusal) return { field: signUpFieldOf(answer.body), text: answer.body.message }
  // A member's session has another id: other tabs and the connection go on with this token.
  session.replaceToken(answer.token)
  session.applyUserUpdate(answer.user)
  void toast(SIGN_UP_DONE, 'success')
  return null
}
