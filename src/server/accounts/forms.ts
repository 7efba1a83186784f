import * as v from 'valibot'
import { Gender } from '../../shared/accounts/protocol.ts'
import { ageOf } from '../../shared/accounts/rules.ts'
import type { Refusal } from '../../shared/protocol/refusals.ts'
import type { RefusedEntry } from '../../shared/rooms/page.ts'
import { DEFAULT_ROOM_ID } from '../../shared/text/limits.ts'
import type { Fields } from '../http/body.ts'
import { type FormAnswers, type NodeContext, statusOf } from '../http/mount.ts'

/** Shows the page of the forms again, one of them with what was wrong. The status is set on the context already. */
export type LandingAgain = (context: NodeContext, form: RefusedEntry) => Response | Promise<Response>

const ROOM = `/room/${DEFAULT_ROOM_ID}`
const HOME = '/'
/** Fields that a form sends blank when they were left open. */
const optional = ['gender', 'browserId', 'lastLoginPlatform', 'next', 'token']

/** How the guest's and the member's way in answer a plain form: on into a room, or the page again with the reason. */
export function entryForm(landing: LandingAgain, which: RefusedEntry['which']): FormAnswers {
  return {
    optional,
    done: (context, { next }) => context.redirect(pathOnSite(next, ROOM), 303),
    refused: (context, refusal, fields) => {
      context.status(statusOf(refusal.body.code))
      return landing(context, refusedEntry(which, refusal, fields))
    },
  }
}

/** As `entryForm`, for whoever becomes a member. A form sends numbers and ticks as text. */
export function signUpForm(landing: LandingAgain): FormAnswers {
  return {
    ...entryForm(landing, 'register'),
    read: ({ age, termsAccepted, ...fields }) => ({
      ...fields,
      age: typeof age === 'string' ? ageOf(age) : undefined,
      termsAccepted: termsAccepted === 'true',
    }),
  }
}

/** Logging out by a plain form leads home, whether there was still a session or not. */
export const logOutForm: FormAnswers = {
  optional,
  done: (context, { next }) => context.redirect(pathOnSite(next, HOME), 303),
  refused: (context) => context.redirect(HOME, 303),
}

/** What was typed, so that nobody types it twice; never the password. */
function refusedEntry(
  which: RefusedEntry['which'],
  { body }: Refusal,
  { username, gender, age, next }: Fields,
): RefusedEntry {
  return {
    which,
    error: body.message,
    username: typeof username === 'string' ? username.slice(0, 64) : '',
    gender: v.is(Gender, gender) ? gender : null,
    age: typeof age === 'string' ? age.slice(0, 3) : '',
    next: pathOnSite(next, null),
  }
}

/**
 * Where a form asks to go on to, if that is a path on this site, else the default. Judged as a browser reads it, after
 * dots and odd characters are gone: `//evil.example`, `/\evil.example` and `/..//evil.example` are other sites there.
 */
export function pathOnSite<F extends string | null>(next: unknown, fallback: F): string | F {
  if (typeof next !== 'string' || !/^\/[^\\\p{Cc}]*$/u.test(next)) return fallback
  const base = 'http://site.invalid'
  const url = URL.parse(next, base)
  if (url?.origin !== base || url.pathname.startsWith('//')) return fallback
  return `${url.pathname}${url.search}${url.hash}`
}
