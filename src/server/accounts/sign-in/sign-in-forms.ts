import * as v from 'valibot'
import { Gender } from '../../../shared/accounts/protocol.ts'
import { parseAge } from '../../../shared/accounts/rules.ts'
import type { Refusal } from '../../../shared/protocol/refusals.ts'
import { DEFAULT_ROOM_ID } from '../../../shared/room-chat/limits.ts'
import type { SignInFormError } from '../../../shared/rooms/page-props.ts'
import type { Fields } from '../../http/body.ts'
import { type FormResponses, httpStatusOf, type NodeContext } from '../../http/route.ts'

/** Shows the page of the forms again, one of them with what was wrong. The status is set on the context already. */
export type RerenderLanding = (context: NodeContext, form: SignInFormError) => Response | Promise<Response>

const DEFAULT_ROOM_PATH = `/room/${DEFAULT_ROOM_ID}`
const HOME_PATH = '/'
/** Fields that a form sends blank when they were left open. */
const optionalFields = ['gender', 'browserId', 'lastLoginPlatform', 'next', 'token']

/** How the guest's and the member's way in answer a plain form: on into a room, or the page again with the reason. */
export function signInForm(landing: RerenderLanding, which: SignInFormError['form']): FormResponses {
  return {
    blankableFields: optionalFields,
    onSuccess: (context, { next }) => context.redirect(toSameSitePath(next, DEFAULT_ROOM_PATH), 303),
    onRefusal: (context, refusal, fields) => {
      context.status(httpStatusOf(refusal.body.code))
      return landing(context, toFormError(which, refusal, fields))
    },
  }
}

/** As `entryForm`, for whoever becomes a member. A form sends numbers and ticks as text. */
export function signUpForm(landing: RerenderLanding): FormResponses {
  return {
    ...signInForm(landing, 'register'),
    parseFields: ({ age, termsAccepted, ...fields }) => ({
      ...fields,
      age: typeof age === 'string' ? parseAge(age) : undefined,
      termsAccepted: termsAccepted === 'true',
    }),
  }
}

/** Logging out by a plain form leads home, whether there was still a session or not. */
export const logOutForm: FormResponses = {
  blankableFields: optionalFields,
  onSuccess: (context, { next }) => context.redirect(toSameSitePath(next, HOME_PATH), 303),
  onRefusal: (context) => context.redirect(HOME_PATH, 303),
}

/** What was typed, so that nobody types it twice; never the password. */
function toFormError(
  which: SignInFormError['form'],
  { body }: Refusal,
  { username, gender, age, next }: Fields,
): SignInFormError {
  return {
    form: which,
    error: body.message,
    username: typeof username === 'string' ? username.slice(0, 64) : '',
    gender: v.is(Gender, gender) ? gender : null,
    age: typeof age === 'string' ? age.slice(0, 3) : '',
    next: toSameSitePath(next, null),
  }
}

/**
 * Where a form asks to go on to, if that is a path on this site, else the default. Judged as a browser reads it, after
 * dots and odd characters are gone: `//evil.example`, `/\evil.example` and `/..//evil.example` are other sites there.
 */
export function toSameSitePath<F extends string | null>(next: unknown, fallback: F): string | F {
  if (typeof next !== 'string' || !/^\/[^\\\p{Cc}]*$/u.test(next)) return fallback
  const base = 'http://site.invalid'
  const url = URL.parse(next, base)
  if (url?.origin !== base || url.pathname.startsWith('//')) return fallback
  return `${url.pathname}${url.search}${url.hash}`
}
