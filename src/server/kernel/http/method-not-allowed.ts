import { routes } from '../../../shared/protocol/catalogue.ts'
import type { RouteSpec } from '../../../shared/protocol/define.ts'
import { refuse } from '../../../shared/protocol/refusals.ts'
import type { NodeApp } from './node-app.ts'
import { refusalResponse } from './route.ts'

/** Answers 405 with `Allow` (RFC 9110, 15.5.6) on the paths of the catalogue. Registered after all routes of the API. */
export function methodNotAllowed(app: NodeApp): void {
  const known = Object.values<RouteSpec>(routes).map(({ path, method }) => ({
    path,
    pattern: new RegExp(`^/api${path.replace(/:\w+/g, '[^/]+')}$`),
    method,
  }))
  // By path, since the log names the last pattern that fits a request.
  for (const path of new Set(known.map(({ path }) => path))) {
    app.all(`/api${path}`, (context) => {
      const methods = new Set(known.filter(({ pattern }) => pattern.test(context.req.path)).map(({ method }) => method))
      context.header('allow', [...methods, ...(methods.has('GET') ? ['HEAD'] : [])].sort().join(', '))
      return refusalResponse(context, refuse('MethodNotAllowed'))
    })
  }
}
