import * as v from 'valibot'
import { Age, Gender, NewPassword, TERMS_NOT_ACCEPTED, Username } from '../../shared/accounts/protocol.ts'
import { parseAge, SIGN_UP_DONE } from '../../shared/accounts/rules.ts'
import { Refusal, type RefusalBody } from '../../shared/protocol/refusals.ts'
import { callApi } from '../http/call-api.ts'
import { toast } from '../shell/toasts/toast.ts'
import { session } from './session.ts'

/** The raw values of the form. */
export interface SignUpFormValues {
  username: string
  password: string
  age: string
  gender: Gender | null
}

const fields = { username: Username, password: NewPassword, age: Age }
type Field = keyof typeof fields
/** Error texts in Turkish, by field; `all` is about the whole form. */
export type SignUpErrors = Partial<Record<Field | 'all', string>>

/** Shown when the server gives no answer (specification 1, point 8). */
const SIGN_UP_FAILED = 'Kayıt başarısız. Lütfen tekrar deneyin.'

export function readSignUpForm(form: HTMLFormElement): SignUpFormValues {
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

/** Checks the form before it is sent. Answers the errors; an empty object means none. */
export function validateSignUp(formValues: SignUpFormValues, isAccepted: boolean): SignUpErrors {
  const values = { ...formValues, age: parseAge(formValues.age) }
  const errors = (Object.keys(fields) as Field[]).flatMap((name) => {
    const { issues } = v.safeParse(fields[name], values[name])
    return issues ? [[name, issues[0].message]] : []
  })
  return Object.fromEntries(isAccepted ? errors : [...errors, ['all', TERMS_NOT_ACCEPTED]])
}

/** Makes this browser's guest a member without leaving the room. Answers the errors; an empty object means success. */
export async function signUp({ gender, ...values }: SignUpFormValues): Promise<SignUpErrors> {
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
  if (answer === 'noAnswer') return { all: SIGN_UP_FAILED }
  if (answer instanceof Refusal) return { [refusedField(answer.body)]: answer.body.message }
  // A member's session has another id: other tabs and the connection go on with this token.
  session.replaceToken(answer.token)
  session.applyUserUpdate(answer.user)
  void toast(SIGN_UP_DONE, 'success')
  return {}
}

function refusedField({ code, path = '' }: RefusalBody): Field | 'all' {
  if (code === 'UsernameTaken' || code === 'UsernameReserved') return 'username'
  return path in fields ? (path as Field) : 'all' // checked by `in`
}
