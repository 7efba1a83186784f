import type { HttpBindings } from '@hono/node-server'
import type { Context, Hono, MiddlewareHandler } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import * as v from 'valibot'
import type { RouteSpec } from '../../shared/protocol/define.ts'
import { MEMBERS_ONLY, Refusal, type RefusalCode, refusals, refuse } from '../../shared/protocol/refusals.ts'
import { authenticate, authenticateAdmin } from '../accounts/authenticate.ts'
import { isHeldUp } from '../database/held-up.ts'
import type { Actor } from '../database/transact.ts'
import { isClosedTo } from '../moderation/access.ts'
import type { World } from '../world.ts'
import { type Body, type Fields, readBody } from './body.ts'
import { provenance } from './origin.ts'
import { isMultipart, takeUploads } from './uploads.ts'

export type NodeApp = Hono<{ Bindings: HttpBindings }>
export type NodeContext = Context<{ Bindings: HttpBindings }>

/** What a route's handler works with. Who acts is known where the route asks for it. */
export interface RouteCall<R extends RouteSpec> {
  input: v.InferOutput<R['input']>
  actor: R['access'] extends 'anyone' ? null : Actor
  /** What came of the route's `files`, by name. */
  files: ReadonlyMap<string, Uint8Array>
  context: NodeContext
}

export type RouteResult<R extends RouteSpec> = v.InferOutput<R['answer']> | Refusal
export type RouteHandler<R extends RouteSpec> = (call: RouteCall<R>) => RouteResult<R> | Promise<RouteResult<R>>

/** How a route answers a plain form, for a browser that shows whatever comes back. */
export interface FormAnswers {
  /** Fields that count as left out when they come blank. */
  optional: readonly string[]
  /** What the fields, all of them text, say to the route. */
  read?(fields: Fields): Fields
  done(context: NodeContext, fields: Fields): Response
  refused(context: NodeContext, refusal: Refusal, fields: Fields): Response | Promise<Response>
}

const MAX_BODY_BYTES = 64 * 1024

/**
 * Serves one route of the catalogue below `/api`: checks where the request comes from, who asks and what is asked,
 * and turns an answer or a refusal into JSON, or into what `form` says for a plain form.
 */
export function mount<R extends RouteSpec>(
  app: NodeApp,
  world: World,
  route: R,
  handler: RouteHandler<R>,
  form?: FormAnswers,
): void {
  const limit = bodyLimit({
    maxSize: MAX_BODY_BYTES,
    onError: (context) => refusalResponse(context, refuse('TooLarge')),
  })
  const uploads = route.files ? takeUploads(route.files) : null
  const bounded: MiddlewareHandler = (context, next) =>
    uploads && isMultipart(context) ? next() : limit(context, next)
  app.on(route.method, `/api${route.path}`, bounded, async (context) => {
    context.header('cache-control', 'private, no-store')
    const actor = await admit(world, route, context)
    // Whoever may not ask sends nothing that is read. A refused form is shown again with what was typed in it.
    if (actor instanceof Refusal && !form) return refusalResponse(context, actor)
    const respond = async (body: Body | Refusal): Promise<Response> => {
      if (body instanceof Refusal) return refusalResponse(context, body)
      const ofForm = body.isForm ? form : undefined
      const asked = { ...body, fields: ofForm?.read?.(body.fields) ?? body.fields }
      const result =
        actor instanceof Refusal ? actor : await carryOut(world, route, handler, { context, actor, ...asked })
      if (result instanceof Refusal)
        return ofForm?.refused(context, result, body.fields) ?? refusalResponse(context, result)
      return ofForm?.done(context, body.fields) ?? context.json(result as object)
    }
    if (!uploads || !isMultipart(context)) return respond(await readBody(context.req.raw, form?.optional ?? null))
    return uploads(context, actor, respond)
  })
  if (form) app.get(`/api${route.path}`, leadHome)
}

/** A refused form is shown at the address that it was sent to. Whoever opens that again finds the forms at home. */
const leadHome: MiddlewareHandler = async (context, next) => {
  const isPageVisit = context.req.header('accept')?.includes('text/html')
  return isPageVisit ? context.redirect('/', 303) : next()
}

/** A refusal as JSON (design/product.md, "Answers over HTTP"). */
export function refusalResponse(context: Context, { body }: Refusal): Response {
  context.header('cache-control', 'private, no-store')
  if (body.waitMs !== undefined) context.header('retry-after', String(Math.ceil(body.waitMs / 1000)))
  return context.json({ success: false, ...body }, statusOf(body.code))
}

/** The HTTP status of a refusal. */
export function statusOf(code: RefusalCode) {
  return refusals[code].status
}

/** The token of a Bearer header (RFC 6750), or null. */
export function bearerToken(context: Context): string | null {
  return /^Bearer +(\S+)$/i.exec(context.req.header('authorization') ?? '')?.[1] ?? null
}

async function carryOut<R extends RouteSpec>(
  world: World,
  route: R,
  handler: RouteHandler<R>,
  { context, actor, fields, files }: Body & { context: NodeContext; actor: Actor | null },
): Promise<RouteResult<R>> {
  const input = parse(route, { ...context.req.query(), ...fields, ...context.req.param() })
  if (input instanceof Refusal) return input
  try {
    // The actor is there exactly where the route's access asks for one.
    return await handler({ input, actor: actor as RouteCall<R>['actor'], files, context })
  } catch (error) {
    if (isHeldUp(error)) return refuse('Busy')
    world.log.error({ err: error, route: route.path }, 'a route failed')
    return refuse('Failed')
  }
}

/** Who asks, null where anyone may; or why they may not. */
async function admit(world: World, route: RouteSpec, context: NodeContext): Promise<Actor | Refusal | null> {
  if (world.stopping()) return refuse('ShuttingDown')
  const isForeign = provenance(world.settings, context.env.incoming) === 'foreign'
  if (route.method !== 'GET' && isForeign) return refuse('OriginNotAllowed')
  const actor = await actorFor(world, route, context)
  if (actor instanceof Refusal) return actor
  return !route.inMaintenance && isClosedTo(world, actor?.role ?? null) ? refuse('Maintenance') : actor
}

async function actorFor(world: World, { access }: RouteSpec, context: NodeContext): Promise<Actor | Refusal | null> {
  if (access === 'anyone') return null
  const token = bearerToken(context)
  if (token === null) return refuse('NotSignedIn')
  if (access === 'rootadmin') return authenticateAdmin(world, token)
  const actor = await authenticate(world, token)
  const isOutside = access === 'member' && !(actor instanceof Refusal) && actor.role === 'guest'
  return isOutside ? refuse('Forbidden', { message: MEMBERS_ONLY }) : actor
}

/** A schema's own sentences are Turkish and meant for people; what it does not word gets the refusal's. */
function parse<R extends RouteSpec>(route: R, input: Fields): v.InferOutput<R['input']> | Refusal {
  const parsed = v.safeParse(route.input, input, { abortEarly: true, message: refusals.InvalidInput.message })
  if (parsed.success) return parsed.output
  const [issue] = parsed.issues
  return refuse('InvalidInput', { message: issue.message, path: v.getDotPath(issue) ?? '' })
}
