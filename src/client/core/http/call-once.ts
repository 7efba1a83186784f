import type { RouteAnswer, RouteName } from '../../../shared/protocol/catalogue.ts'
import { isFailure, type Result } from '../../../shared/protocol/result.ts'
import { browserEnvironment } from '../platform/environment.ts'
import { callApi } from './call-api.ts'
import { OnceKeys } from './once-keys.ts'

/** A request whose effect must come once; see `callOnce`. */
interface OnceRequest {
  as: 'user' | 'admin'
  body: object
  method?: 'POST' | 'PUT' | 'DELETE'
}

const keys = new OnceKeys(browserEnvironment.uuid)

/**
 * Calls a route that takes `Idempotency-Key`. Clicking again after a failure sends the same key, so that a request whose
 * answer was lost has one effect.
 */
export async function callOnce<N extends RouteName>(
  path: string,
  { as, body, method }: OnceRequest,
): Promise<Result<RouteAnswer<N>>> {
  const request = `${method ?? ''} ${path} ${JSON.stringify(body)}`
  const key = keys.keyOf(request)
  const answer = await callApi<N>(path, { as, body, method, headers: { 'Idempotency-Key': key } })
  if (!isFailure(answer)) keys.forget(request)
  return answer
}
