import type { RouteAnswer, RouteName } from '../../../shared/protocol/catalogue.ts'
import { Refusal, type RefusalBody, refuseLocally } from '../../../shared/protocol/refusals.ts'
import type { Result } from '../../../shared/protocol/result.ts'
import { HTTP_TIMEOUT_MS } from '../../../shared/room-chat/limits.ts'
import { isInEventHandler } from '../live/event-scope.ts'
import { session } from '../session/session.ts'

interface ApiCall {
  /** Which token is sent: `admin` for root admins' routes, `anyone` for none. */
  as: 'anyone' | 'user' | 'admin'
  /** Sent as JSON or as a multipart form. */
  body?: object | FormData
  /** Not started by the user, by default in event handlers: without an admin token it fails and does not ask for the password. */
  isBackground?: boolean
  /** By default POST with a body, and GET without one. */
  method?: 'POST' | 'PUT' | 'DELETE' | undefined
  headers?: Record<string, string>
  /** Aborts the call; without it, the call ends after `HTTP_TIMEOUT_MS`. */
  signal?: AbortSignal
}

/**
 * Calls a route below `/api` by its path; the type parameter is its name in the catalogue. After a 401 the token is
 * refreshed and the call repeated once. A root admin without a valid admin token is asked for the password first.
 * `disconnected`: the request failed, or its body was not JSON.
 */
export async function callApi<N extends RouteName>(path: string, call: ApiCall): Promise<Result<RouteAnswer<N>>> {
  const isBackground = call.isBackground ?? isInEventHandler()
  try {
    if (call.as === 'admin' && session.adminToken() === null && !(await renewToken(call.as, isBackground)))
      return refuseLocally('PasswordRequired')
    let response = await fetchRoute(path, call)
    if (response.status === 401 && (await renewToken(call.as, isBackground))) response = await fetchRoute(path, call)
    const answer: unknown = await response.json()
    // Our own server validated it against the route's schema.
    return response.ok ? (answer as RouteAnswer<N>) : new Refusal(answer as RefusalBody)
  } catch {
    return 'disconnected'
  }
}

/** Renews the token of a call. Returns whether there is a new one. */
async function renewToken(as: ApiCall['as'], isBackground: boolean): Promise<boolean> {
  if (as === 'anyone') return false
  if (as === 'user') return (await session.refresh()) === 'refreshed'
  session.setAdminToken(null)
  if (isBackground) return false
  const { confirmPassword } = await import('../admin/confirm-password.ts')
  return confirmPassword()
}

function fetchRoute(path: string, { as, body, method, signal, headers }: ApiCall): Promise<Response> {
  const isForm = body instanceof FormData
  const token = { anyone: () => null, user: () => session.token(), admin: () => session.adminToken() }[as]()
  return fetch(`/api${path}`, {
    method: method ?? (body ? 'POST' : 'GET'),
    headers: {
      ...headers,
      ...(token && { Authorization: `Bearer ${token}` }),
      // The browser sets a form's content type, with its boundary.
      ...(body && !isForm && { 'Content-Type': 'application/json' }),
    },
    ...(body && { body: isForm ? body : JSON.stringify(body) }),
    signal: signal ?? AbortSignal.timeout(HTTP_TIMEOUT_MS),
  })
}
