import * as v from 'valibot'
import { Gender } from '../../../../shared/accounts/protocol.ts'
import { parseAge, signUpFieldOf } from '../../../../shared/accounts/rules.ts'
import type { Refusal } from '../../../../shared/protocol/refusals.ts'
import { DEFAULT_ROOM_ID } from '../../../../shared/room-chat/limits.ts'
import type { SignInFormError } from '../../../../shared/rooms/page-props.ts'
import type { Fields } from '../../../kernel/http/body.ts'
import type { NodeContext } from '../../../kernel/http/node-app.ts'
import { type FormResponses, httpStatusOf } from '../../../kernel/http/route.ts'
import { toSameSitePath } from '../../../kernel/http/same-site-path.ts'

/** Renders the form's landing page with its error. The HTTP status is already set on the context. */
export type RerenderLanding = (context: NodeContext, form: SignInFormError) => Response | Promise<Response>

const DEFAULT_ROOM_PATH = `/room/${DEFAULT_ROOM_ID}`
const HOME_PATH = '/'
/** Optional fields, which a plain form sends as empty strings. */
const optionalFields = ['gender', 'browserId', 'lastLoginPlatform', 'next', 'token']

/** Answers a plain sign-in form: redirects to a room, or renders the page again with the error. */
export function signInForm(rerenderLanding: RerenderLanding, form: SignInFormError['form']): FormResponses {
  return {
    blankableFields: optionalFields,
    onSuccess: (context, { next }) => context.redirect(toSameSitePath(next, DEFAULT_ROOM_PATH), 303),
    onRefusal: (context, refusal, fields) => {
      context.status(httpStatusOf(refusal.body.code))
      return rerenderLanding(context, toFormError(form, refusal, fields))
    },
  }
}

/** As `signInForm`, for log-in. `handOver` takes a root admin's admin token to the next page. */
export function loginForm(
  rerenderLanding: RerenderLanding,
  handOver: (context: NodeContext, adminToken: string) => void,
): FormResponses {
  const form = signInForm(rerenderLanding, 'login')
  return {
    ...form,
    onSuccess: (context, fields, answer) => {
      if ('adminToken' in answer && typeof answer.adminToken === 'string') handOver(context, answer.adminToken)
      return form.onSuccess(context, fields, answer)
    },
  }
}

/** As `signInForm`, for sign-up. A plain form sends the age and the checkbox as text. */
export function signUpForm(rerenderLanding: RerenderLanding): FormResponses {
  return {
    ...signInForm(rerenderLanding, 'register'),
    parseFields: ({ age, termsAccepted, ...fields }) => ({
      ...fields,
      age: typeof age === 'string' ? parseAge(age) : undefined,
      termsAccepted: termsAccepted === 'true',
    }),
  }
}

/** Signing out by a plain form redirects home, also when the session had already ended. */
export const logOutForm: FormResponses = {
  blankableFields: optionalFields,
  onSuccess: (context, { next }) => context.redirect(toSameSitePath(next, HOME_PATH), 303),
  onRefusal: (context) => context.redirect(HOME_PATH, 303),
}

/** The typed fields for the next rendering, except the password. */
function toFormError(
  form: SignInFormError['form'],
  { body }: Refusal,
  { username, gender, age, next, isOfRoom }: Fields,
): SignInFormError {
  return {
    form,
    error: body.message,
    field: form === 'register' ? signUpFieldOf(body) : null,
    username: typeof username === 'string' ? username.slice(0, 64) : '',
    gender: v.is(Gender, gender) ? gender : null,
    age: typeof age === 'string' ? age.slice(0, 3) : '',
    next: toSameSitePath(next, null),
    isOfRoom: isOfRoom === 'true',
  }
}
