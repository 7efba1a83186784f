import type { Context, MiddlewareHandler } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import * as v from 'valibot'
import { ClientId, type RouteSpec } from '../../../shared/protocol/define.ts'
import { Refusal, type RefusalCode, refusals, refuse } from '../../../shared/protocol/refusals.ts'
import type { AppContext } from '../app-context.ts'
import type { Actor } from '../database/transaction.ts'
import { authentication } from './authentication.ts'
import { type Body, type Fields, readBody } from './body.ts'
import { checkAccess, checkInput, refuseFailure } from './check-access.ts'
import type { NodeApp, NodeContext } from './node-app.ts'
import { requestOrigin } from './request-origin.ts'
import { createUploadReceiver, isMultipart } from './upload-receiver.ts'

/** What a route's handler gets. `actor` is null if anyone may call the route. */
export interface RouteCall<R extends RouteSpec> {
  input: v.InferOutput<R['input']>
  actor: R['access'] extends 'anyone' ? null : Actor
  /** The `Idempotency-Key` header if the route takes it; the write uses it so that a retry has one effect. */
  clientId: string | undefined
  /** Contents of the route's `fileFields`, by name. */
  files: ReadonlyMap<string, Uint8Array>
  context: NodeContext
}

export type RouteResult<R extends RouteSpec> = v.InferOutput<R['answer']> | Refusal
export type RouteHandler<R extends RouteSpec> = (call: RouteCall<R>) => RouteResult<R> | Promise<RouteResult<R>>

/** How a route answers a plain HTML form: the browser shows the answer as a page. */
export interface FormResponses {
  /** Fields that are dropped when they are blank. */
  blankableFields: readonly string[]
  /** Converts the form's text fields into the route's input. */
  parseFields?(fields: Fields): Fields
  onSuccess(context: NodeContext, fields: Fields, answer: object): Response
  onRefusal(context: NodeContext, refusal: Refusal, fields: Fields): Response | Promise<Response>
}

/** Of bodies that are parsed as a whole; uploads may be longer. */
export const MAX_BODY_BYTES = 64 * 1024

/**
 * Serves one route of the catalogue below `/api`: checks origin, actor and input, and turns the answer or refusal into
 * JSON, or by `form` into a page if a plain form sent it.
 */
export function registerRoute<R extends RouteSpec>(
  app: NodeApp,
  appContext: AppContext,
  route: R,
  handler: RouteHandler<R>,
  form?: FormResponses,
): void {
  const limit = bodyLimit({
    maxSize: MAX_BODY_BYTES,
    onError: (context) => refusalResponse(context, refuse('TooLarge')),
  })
  const uploads = route.fileFields ? createUploadReceiver(appContext, route) : null
  const bounded: MiddlewareHandler = (context, next) =>
    uploads && isMultipart(context) ? next() : limit(context, next)
  app.on(route.method, `/api${route.path}`, bounded, async (context) => {
    context.header('cache-control', 'private, no-store')
    const actor = await authorize(appContext, route, context)
    // The body of an unauthorized request is not read, except for a form, which is shown again with its fields.
    if (actor instanceof Refusal && !form) return refusalResponse(context, actor)
    const respond = async (body: Body | Refusal): Promise<Response> => {
      if (body instanceof Refusal) return refusalResponse(context, body)
      const formResponses = body.isForm ? form : undefined
      const request = { ...body, fields: formResponses?.parseFields?.(body.fields) ?? body.fields }
      const result =
        actor instanceof Refusal ? actor : await handle(appContext, route, handler, { context, actor, ...request })
      if (result instanceof Refusal)
        return formResponses?.onRefusal(context, result, body.fields) ?? refusalResponse(context, result)
      return formResponses?.onSuccess(context, body.fields, result as object) ?? context.json(result as object)
    }
    if (!uploads || !isMultipart(context))
      return respond(await readBody(context.req.raw, form?.blankableFields ?? null))
    return uploads(context, actor, respond)
  })
  if (form) app.get(`/api${route.path}`, redirectPageVisits)
}

/** A refused form is shown at the route's own URL; opening that URL again redirects to the landing page. */
const redirectPageVisits: MiddlewareHandler = async (context, next) => {
  const isPageVisit = context.req.header('accept')?.includes('text/html')
  return isPageVisit ? context.redirect('/', 303) : next()
}

/** A refusal as JSON (docs/product.md, "Answers over HTTP"). */
export function refusalResponse(context: Context, { body }: Refusal): Response {
  context.header('cache-control', 'private, no-store')
  if (body.waitMs !== undefined) context.header('retry-after', String(Math.ceil(body.waitMs / 1000)))
  return context.json({ success: false, ...body }, httpStatusOf(body.code))
}

/** The HTTP status of a refusal. */
export function httpStatusOf(code: RefusalCode) {
  return refusals[code].status
}

/** The token of a Bearer header (RFC 6750), or null. */
export function bearerToken(context: Context): string | null {
  return /^Bearer +(\S+)$/i.exec(context.req.header('authorization') ?? '')?.[1] ?? null
}

async function handle<R extends RouteSpec>(
  appContext: AppContext,
  route: R,
  handler: RouteHandler<R>,
  { context, actor, fields, files }: Body & { context: NodeContext; actor: Actor | null },
): Promise<RouteResult<R>> {
  const named: Fields = { ...context.req.query(), ...fields, ...context.req.param() }
  const input = parseInput(route, named)
  if (input instanceof Refusal) return input
  const clientId = route.retry === 'idempotencyKey' ? readIdempotencyKey(context) : undefined
  if (clientId instanceof Refusal) return clientId
  const refused = actor && checkInput(appContext, route, actor.userId, findNamedUser(appContext, route, actor), named)
  if (refused) return refused
  try {
    // authorize() returns an actor for every access except `anyone`.
    return await handler({ input, actor: actor as RouteCall<R>['actor'], clientId, files, context })
  } catch (error) {
    return refuseFailure(appContext, error, { route: route.path })
  }
}

/** The session's user, if the route has identity fields that must name them. */
function findNamedUser({ service, reader }: AppContext, { identityFields }: RouteSpec, actor: Actor) {
  return identityFields.length ? (service(authentication).findSessionUser(reader, actor)?.person ?? null) : null
}

/** The UUID of the header, bare or quoted (draft-ietf-httpapi-idempotency-key-header). */
function readIdempotencyKey(context: NodeContext): string | undefined | Refusal {
  const header = context.req.header('idempotency-key')
  if (header === undefined) return undefined
  const key = v.safeParse(ClientId, header.replace(/^"(.*)"$/, '$1'))
  return key.success ? key.output : refuse('InvalidInput', { path: 'Idempotency-Key' })
}

/** The actor, null if anyone may call the route, or a refusal. */
export async function authorize(
  appContext: AppContext,
  route: Pick<RouteSpec, 'access' | 'isOpenInMaintenance'>,
  context: NodeContext,
): Promise<Actor | Refusal | null> {
  if (appContext.isStopping()) return refuse('ShuttingDown')
  const isForeign = requestOrigin(appContext.config, context.env.incoming) === 'notAllowed'
  const isRead = context.req.method === 'GET' || context.req.method === 'HEAD'
  if (!isRead && isForeign) return refuse('OriginNotAllowed')
  const actor = await authenticateFor(appContext, route, context)
  if (actor instanceof Refusal) return actor
  return checkAccess(appContext, route, actor?.role ?? null) ?? actor
}

async function authenticateFor(
  appContext: AppContext,
  { access }: Pick<RouteSpec, 'access'>,
  context: NodeContext,
): Promise<Actor | Refusal | null> {
  if (access === 'anyone') return null
  const token = bearerToken(context)
  if (token === null) return refuse('NotSignedIn')
  const sessions = appContext.service(authentication)
  return access === 'rootadmin' ? sessions.authenticateAdmin(token) : sessions.authenticate(token)
}

/** Messages that a schema defines are Turkish and shown to users; issues without one get the refusal's message. */
function parseInput<R extends RouteSpec>(route: R, input: Fields): v.InferOutput<R['input']> | Refusal {
  const parsed = v.safeParse(route.input, input, { abortEarly: true, message: refusals.InvalidInput.message })
  if (parsed.success) return parsed.output
  const [issue] = parsed.issues
  return refuse('InvalidInput', { message: issue.message, path: v.getDotPath(issue) ?? '' })
}
