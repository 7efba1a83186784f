import type * as v from 'valibot'
import type { Routes } from '../../shared/protocol/catalogue.ts'
import { Refusal, type RefusalBody } from '../../shared/protocol/refusals.ts'
import { HTTP_TIMEOUT_MS } from '../../shared/room-chat/limits.ts'
import { session } from '../accounts/session.ts'

export type RouteName = keyof Routes
export type RouteAnswer<N extends RouteName> = v.InferOutput<Routes[N]['answer']>

interface ApiCall {
  /** By whose token: `admin` for what only root admins may do. */
  as: 'user' | 'admin'
  /** Sent by POST, as JSON or as the form that it is; without it, the call is a GET. */
  body?: object | FormData
  method?: 'POST' | 'PUT'
}

/**
 * Calls a route below `/api` by its address; the type parameter says which one it is. A token that is no longer taken
 * is refreshed once. `noAnswer` when there was no answer, or none that could be read.
 */
export async function callApi<N extends RouteName>(
  path: string,
  call: ApiCall,
): Promise<RouteAnswer<N> | Refusal | 'noAnswer'> {
  try {
    let response = await fetchRoute(path, call)
    if (response.status === 401 && (await session.refresh()) === 'refreshed') response = await fetchRoute(path, call)
    const answer: unknown = await response.json()
    // Our own server validated it against the route's schema.
    return response.ok ? (answer as RouteAnswer<N>) : new Refusal(answer as RefusalBody)
  } catch {
    return 'noAnswer'
  }
}

function fetchRoute(path: string, { as, body, method = 'POST' }: ApiCall): Promise<Response> {
  const isForm = body instanceof FormData
  const token = as === 'admin' ? session.adminToken() : session.token()
  return fetch(`/api${path}`, {
    method: body ? method : 'GET',
    headers: {
      ...(token && { Authorization: `Bearer ${token}` }),
      // The browser itself names a form's type, with its boundary.
      ...(body && !isForm && { 'Content-Type': 'application/json' }),
    },
    ...(body && { body: isForm ? body : JSON.stringify(body) }),
    signal: AbortSignal.timeout(HTTP_TIMEOUT_MS),
  })
}
