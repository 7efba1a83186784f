import type { Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { serve } from '@hono/node-server'
import { Hono } from 'hono'
import type { SignInFormError } from '../../shared/rooms/page.ts'
import { createSignInLimits } from '../accounts/entry-limits.ts'
import { createOwnPasswordVerifier } from '../accounts/own-password.ts'
import { optionalActor, readPageSession } from '../accounts/page-session.ts'
import { PasswordHasher } from '../accounts/passwords.ts'
import { signInRoutes } from '../accounts/routes.ts'
import { type NodeApp, registerRoute } from '../http/mount.ts'
import { uploadRoutes } from '../media/uploads.ts'
import { profileRoutes } from '../profiles/routes.ts'
import { openTestRegion, type TestRegion } from './world.ts'

/** A region that answers HTTP, with as much of a page as the tests of accounts need. */
export interface TestApi {
  region: TestRegion
  passwords: PasswordHasher
  origin: string
  /** Sends a request as a program would: with nothing that is not given. */
  send(path: string, init?: RequestInit): Promise<Response>
  /** Sends JSON as a page of ours would, and answers what came back. */
  post(path: string, body?: object, headers?: Record<string, string>): Promise<ApiResponse>
  get(path: string, headers?: Record<string, string>): Promise<ApiResponse>
  /** Sends a plain form as a browser without JavaScript would. */
  postForm(path: string, fields: Record<string, string>, headers?: Record<string, string>): Promise<Response>
  close(): Promise<void>
}

export interface ApiResponse {
  status: number
  headers: Headers
  body: Record<string, unknown>
  /** `name=value` of the session cookie that was set, to be sent back; null when none was. */
  cookie: string | null
}

/** Starts it on a free port. `more` adds routes before the server starts. */
export async function openTestApi(
  env: Record<string, string> = {},
  more: (app: NodeApp, mounted: typeof registerRoute, site: TestRegion) => void = () => {},
): Promise<TestApi> {
  const site = await openTestRegion(env)
  const passwords = new PasswordHasher()
  const app: NodeApp = new Hono()
  const limits = createSignInLimits(site.appContext.settings, site.appContext.clock)
  const entrance = { world: site.appContext, limits, passwords }
  signInRoutes(app, entrance, (context, form) => context.html(formatFormError(form)))
  profileRoutes(app, site.appContext, createOwnPasswordVerifier(entrance))
  uploadRoutes(app, site.appContext, (context) => optionalActor(site.appContext, context))
  more(app, registerRoute, site)
  app.get('/page', async (context) =>
    context.json((await readPageSession(site.appContext, context)) ?? { nobody: true }),
  )
  const server = serve({ fetch: app.fetch, port: 0, hostname: '127.0.0.1' }) as Server // no http2 was asked for
  await new Promise((resolve) => server.once('listening', resolve))
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}` // it listens on a port

  const send = (path: string, init: RequestInit = {}) => fetch(origin + path, { redirect: 'manual', ...init })
  return {
    region: site,
    passwords,
    origin,
    send,
    post: async (path, body = {}, headers = {}) => {
      const json = { origin, 'content-type': 'application/json', ...headers }
      return toApiResponse(await send(path, { method: 'POST', body: JSON.stringify(body), headers: json }))
    },
    get: async (path, headers = {}) => toApiResponse(await send(path, { headers })),
    postForm: (path, fields, headers = {}) =>
      send(path, { method: 'POST', body: new URLSearchParams(fields), headers: { origin, ...headers } }),
    close: async () => {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
      await site.destroy()
    },
  }
}

/** What the landing page of these tests says of a refused form. */
function formatFormError({ form, error, username, gender, age }: SignInFormError): string {
  return `<p>${form}|${error}|${username}|${gender}${age && `|${age}`}</p>`
}

async function toApiResponse(response: Response): Promise<ApiResponse> {
  const body = (await response.json()) as Record<string, unknown> // every route answers an object
  return { status: response.status, headers: response.headers, body, cookie: readSessionCookie(response) }
}

/** `name=value` of the session cookie that a response sets, or null. */
export function readSessionCookie(response: Response): string | null {
  return /^(meydan_session=[^;]*)/.exec(response.headers.getSetCookie()[0] ?? '')?.[1] ?? null
}
