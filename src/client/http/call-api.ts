import type { RouteAnswer, RouteName } from '../../shared/protocol/catalogue.ts'
import { Refusal, type RefusalBody } from '../../shared/protocol/refusals.ts'
import { HTTP_TIMEOUT_MS } from '../../shared/room-chat/limits.ts'
import { session } from '../accounts/session.ts'

interface ApiCall {
  /** By whose token: `admin` for what only root admins may do, `anyone` for none. */
  as: 'anyone' | 'user' | 'admin'
  /** Sent by POST, as JSON or as the form that it is; without it, the call is a GET. */
  body?: object | FormData
  method?: 'POST' | 'PUT'
  /** Aborts the call; without it, the call has a time limit. */
  signal?: AbortSignal
}

/**
 * Calls a route below `/api` by its address; the type parameter is its name in the catalogue. A token that is no longer
 * accepted is refreshed once. Answers `noAnswer` when none came, or none that could be read.
 */
export async function callApi<N extends RouteName>(
  path: string,
  call: ApiCall,
): Promise<RouteAnswer<N> | Refusal | 'noAnswer'> {
  try {
    let response = await fetchRoute(path, call)
    if (response.status === 401 && call.as !== 'anyone' && (await session.refresh()) === 'refreshed') {
      response = await fetchRoute(path, call)
    }
    const answer: unknown = await response.json()
    // Our own server validated it against the route's schema.
    return response.ok ? (answer as RouteAnswer<N>) : new Refusal(answer as RefusalBody)
  } catch {
    return 'noAnswer'
  }
}

function fetchRoute(path: string, { as, body, method = 'POST', signal }: ApiCall): Promise<Response> {
  const isForm = body instanceof FormData
  const token = { anyone: () => null, user: () => session.token(), admin: () => session.adminToken() }[as]()
  return fetch(`/api${path}`, {
    method: body ? method : 'GET',
    headers: {
      ...(token && { Authorization: `Bearer ${token}` }),
      // The browser itself names a form's type, with its boundary.
      ...(body && !isForm && { 'Content-Type': 'application/json' }),
    },
    ...(body && { body: isForm ? body : JSON.stringify(body) }),
    signal: signal ?? AbortSignal.timeout(HTTP_TIMEOUT_MS),
  })
}
