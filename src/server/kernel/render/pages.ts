import { randomBytes } from 'node:crypto'
import { gzipSync } from 'node:zlib'
import type { Context } from 'hono'
import { getCookie } from 'hono/cookie'
import type { Boot } from '../../../client/core/session/boot.ts'
import { Refusal, refusals, refuse } from '../../../shared/protocol/refusals.ts'
import { parseTheme } from '../../../shared/settings/theme.ts'
import type { AppContext } from '../app-context.ts'
import { acceptsEncoding } from '../http/accept-encoding.ts'
import { authentication, maintenance, type PageSession } from '../http/authentication.ts'
import type { NodeContext } from '../http/node-app.ts'
import { PageLimit } from '../http/page-limit.ts'
import { httpStatusOf, refusalResponse } from '../http/route.ts'
import { NONCE_KEY } from '../http/security-headers.ts'
import { siteOrigin } from '../http/site-origin.ts'
import type { PageName, PageProps } from './page-modules.ts'
import type { Renderer } from './renderer.ts'
import type { PageShare } from './share-tags.ts'

/** Little of the size is saved by the next levels, which take twice the time. */
const GZIP_LEVEL = 3
/** Takes half the time of Node's own `Buffer.from` for Turkish text. */
const encoder = new TextEncoder()

/** A refused form of the landing page, which is rendered again with it. */
export type RefusedForm = NonNullable<PageProps<'index'>['form']>
export type OpenPage = (context: NodeContext, form?: RefusedForm) => Promise<Response>

/** Renders pages for their visitors: the pages that features register, and those for refusals and errors. */
export class Pages {
  private readonly appContext: AppContext
  private readonly renderer: Renderer
  private readonly handlers = new Map<PageName, OpenPage>()
  private readonly limit: PageLimit

  constructor(appContext: AppContext, renderer: Renderer) {
    this.appContext = appContext
    this.renderer = renderer
    this.limit = new PageLimit(appContext)
  }

  /** Makes a feature's page known by its name, so that another feature's form can open it again. */
  register(name: PageName, handler: OpenPage): void {
    this.handlers.set(name, handler)
  }

  /** Responds with a registered page, with the status of the context. */
  open(name: PageName, context: NodeContext, form?: RefusedForm): Promise<Response> {
    const handler = this.handlers.get(name)
    if (!handler) throw new Error(`no feature has registered the page ${name}`)
    return handler(context, form)
  }

  /**
   * The page, or a refusal while the address has used up its time (`PageLimit`).
   * @param session undefined: unknown, so the page carries no session data and the browser keeps its token
   * @param share for a page that needs no session
   */
  render<N extends PageName>(
    context: NodeContext,
    name: N,
    props: PageProps<N>,
    session: PageSession | null | undefined,
    share?: Omit<PageShare, 'origin'>,
  ): Response {
    const origin = siteOrigin(this.appContext.config, context.env.incoming)
    const shared = share && origin !== null ? { ...share, origin } : null
    return this.limit.run(context, () => {
      const startedAt = performance.now()
      const response = pageResponse(context, this.renderer, name, props, bootDataOf(session), shared)
      this.appContext.metrics.recordPageRender(name, performance.now() - startedAt)
      return response
    })
  }

  /** The page for a refusal; the session may be unknown. `action` is where its button leads. */
  renderRefusal(
    context: NodeContext,
    { body }: Refusal,
    session?: PageSession,
    action?: PageProps<'_error'>['action'],
  ): Response {
    context.status(httpStatusOf(body.code))
    if (body.code !== 'Banned')
      return this.render(context, '_error', { message: body.message, ...(action && { action }) }, session)
    // The browser keeps its token and so keeps seeing this page.
    return this.render(context, '_error', { message: refusals.Banned.message, text: body.message }, undefined)
  }

  /** The maintenance page, where root admins sign in; null if the session may see other pages. */
  renderMaintenance(context: NodeContext, session: PageSession | null, form?: RefusedForm): Response | null {
    if (!this.appContext.service(maintenance).isClosedTo(session?.actor.role ?? null)) return null
    context.status(503)
    context.header('retry-after', '60')
    return this.render(context, '_maintenance', { form: form?.form === 'login' ? form : null }, undefined)
  }

  /** The visitor's session; or the response instead of the page, for a refused visitor or during maintenance. */
  async readVisitor(context: NodeContext): Promise<PageSession | null | Response> {
    const session = await this.appContext.service(authentication).readPageSession(context)
    if (session instanceof Refusal) return this.renderRefusal(context, session)
    return this.renderMaintenance(context, session) ?? session
  }

  async renderNotFound(context: NodeContext): Promise<Response> {
    if (isApiRequest(context)) return refusalResponse(context, refuse('NotFound'))
    const visitor = await this.readVisitor(context)
    if (visitor instanceof Response) return visitor
    context.status(404)
    return this.render(context, '_404', {}, visitor)
  }

  /** The page for an unexpected error, which is logged. */
  renderFailure(context: NodeContext, error: Error): Response {
    // The client aborted its request, so this is not a server error and nobody reads the answer.
    if (context.env.incoming.readableAborted) return context.body(null, 400)
    const reference = randomBytes(6).toString('hex')
    this.appContext.log.error({ err: error, reference }, 'a request failed')
    if (isApiRequest(context)) return refusalResponse(context, refuse('Failed'))
    return failureResponse(context, this.renderer, reference)
  }
}

function bootDataOf(session: PageSession | null | undefined): Boot {
  if (session === undefined) return {}
  if (session === null) return { session }
  const { actor: _, person, ...tokens } = session
  return { session: { user: person, ...tokens } }
}

function isApiRequest(context: NodeContext): boolean {
  return context.req.path.startsWith('/api/')
}

/**
 * Responds with a page, or with its main part on a navigation within a document. Pages depend on the session, so no
 * shared cache may store them (docs/trust.md, 3). Uses the status of the context. Throws what the page throws.
 */
export function pageResponse<N extends PageName>(
  context: Context,
  renderer: Pick<Renderer, 'render'>,
  name: N,
  props: PageProps<N>,
  boot: Boot,
  share: PageShare | null = null,
): Response {
  const html = renderer.render(name, props, {
    theme: parseTheme(getCookie(context, 'theme')),
    nonce: context.get(NONCE_KEY) ?? '',
    boot,
    share,
    partial: context.req.header('X-Meydan-Partial') === 'main',
  })
  const bytes = encoder.encode(html)
  context.header('Cache-Control', 'private, no-store')
  context.header('Vary', 'Cookie, Accept-Encoding, X-Meydan-Partial')
  context.header('Content-Type', 'text/html; charset=UTF-8')
  if (!acceptsEncoding(context.req.header('Accept-Encoding'), 'gzip')) return context.body(bytes)
  context.header('Content-Encoding', 'gzip')
  return context.body(gzipSync(bytes, { level: GZIP_LEVEL }))
}

/** The page for an unexpected error: shows only the reference under which it is logged; plain text if the shell fails. */
export function failureResponse(context: Context, renderer: Renderer, reference: string): Response {
  context.status(500)
  try {
    return pageResponse(context, renderer, '_error', { reference }, {})
  } catch {
    return context.text(`Bir hata oluştu. Hata kodu: ${reference}`)
  }
}
