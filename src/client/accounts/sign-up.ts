import * as v from 'valibot'
import { Age, Gender, NewPassword, TERMS_NOT_ACCEPTED, Username } from '../../shared/accounts/protocol.ts'
import { parseAge, SIGN_UP_DONE } from '../../shared/accounts/rules.ts'
import { Refusal, type RefusalBody } from '../../shared/protocol/refusals.ts'
import { callApi } from '../http/call-api.ts'
import { toast } from '../shell/toasts/toast.ts'
import { session } from './session.ts'

/** What stands in the form. */
export interface SignUpFormValues {
  username: string
  password: string
  age: string
  gender: Gender | null
}

const fields = { username: Username, password: NewPassword, age: Age }
type Field = keyof typeof fields
/** What is wrong, in Turkish, by field; `all` is about the whole. */
export type SignUpErrors = Partial<Record<Field | 'all', string>>

/** Shown without an answer of the server (specification 1, point 8). */
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

/** What can be said without asking the server. */
export function validateSignUp(typed: SignUpFormValues, isAccepted: boolean): SignUpErrors {
  const values = { ...typed, age: parseAge(typed.age) }
  const wrong = (Object.keys(fields) as Field[]).flatMap((name) => {
    const { issues } = v.safeParse(fields[name], values[name])
    return issues ? [[name, issues[0].message]] : []
  })
  return Object.fromEntries(isAccepted ? wrong : [...wrong, ['all', TERMS_NOT_ACCEPTED]])
}

/** Makes this browser's guest a member, where they are. Answers what went wrong; nothing when they are one. */
export async function signUp({ gender, ...typed }: SignUpFormValues): Promise<SignUpErrors> {
  const { browserId, lastLoginPlatform } = session.formFields()
  const body = {
    ...typed,
    age: parseAge(typed.age),
    ...(gender && { gender }),
    ...(browserId && { browserId }),
    lastLoginPlatform,
    termsAccepted: true,
  }
  const answer = await callApi<'register'>('/users/register', { as: 'user', body })
  if (answer === 'noAnswer') return { all: SIGN_UP_FAILED }
  if (answer instanceof Refusal) return { [refusedField(answer.body)]: answer.body.message }
  // The token is as good as before: it speaks for the session, which goes on.
  session.applyUserUpdate(answer.user)
  void toast(SIGN_UP_DONE, 'success')
  return {}
}

function refusedField({ code, path = '' }: RefusalBody): Field | 'all' {
  if (code === 'UsernameTaken' || code === 'UsernameReserved') return 'username'
  return path in fields ? (path as Field) : 'all' // just looked at
}
