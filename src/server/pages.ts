import { randomBytes } from 'node:crypto'
import type { Boot } from '../client/boot.ts'
import type { RoomId } from '../shared/protocol/ids.ts'
import { Refusal, refusals, refuse } from '../shared/protocol/refusals.ts'
import type { LandingPageProps, RoomPageProps, SignInFormError } from '../shared/rooms/page-props.ts'
import { type PageSession, readPageSession } from './accounts/sessions/page-session.ts'
import { toSameSitePath } from './accounts/sign-in/sign-in-forms.ts'
import type { AppContext } from './app-context.ts'
import { httpStatusOf, type NodeContext, refusalResponse } from './http/route.ts'
import { isInMaintenanceFor } from './moderation/access.ts'
import { viewerOf } from './relations/queries.ts'
import type { PageName, PageProps } from './render/page-modules.ts'
import { failureResponse, pageResponse } from './render/page-response.ts'
import type { Renderer } from './render/renderer.ts'
import { listLatestMessages } from './room-chat/queries.ts'
import { findEnterableRoom } from './rooms/access.ts'
import { listRooms } from './rooms/queries.ts'

/** The handlers of the pages: each reads its props and renders. */
export interface Pages {
  landing(context: NodeContext): Promise<Response>
  /** The landing page with a refused form. */
  rerenderLanding(context: NodeContext, form: SignInFormError): Promise<Response>
  room(context: NodeContext): Promise<Response>
  notFound(context: NodeContext): Promise<Response>
  internalError(error: Error, context: NodeContext): Promise<Response>
}

export function createPages(appContext: AppContext, renderer: Renderer): Pages {
  const activeUsers = (roomId: RoomId) => appContext.presence.roomCount(roomId)

  const renderPage = <N extends PageName>(
    context: NodeContext,
    name: N,
    props: PageProps<N>,
    session: PageSession | null | undefined,
  ) => {
    const startedAt = performance.now()
    const response = pageResponse(context, renderer, name, props, bootDataOf(session))
    appContext.metrics.recordPageRender(name, performance.now() - startedAt)
    return response
  }

  /** The page for a refusal; the session may be unknown. */
  const refusedPage = (context: NodeContext, { body }: Refusal, session?: PageSession) => {
    context.status(httpStatusOf(body.code))
    if (body.code !== 'Banned') return renderPage(context, '_error', { message: body.message }, session)
    // Without session data in the page the browser keeps its token and so keeps seeing this page.
    return renderPage(context, '_error', { message: refusals.Banned.message, text: body.message }, undefined)
  }

  /** The maintenance page, where root admins sign in; null if the session may see other pages. */
  const maintenancePage = (context: NodeContext, session: PageSession | null, form?: SignInFormError) => {
    if (!isInMaintenanceFor(appContext, session?.actor.role ?? null)) return null
    context.status(503)
    context.header('retry-after', '60')
    // Without session data in the page the browser keeps its token.
    return renderPage(context, '_maintenance', { form: form?.form === 'login' ? form : null }, undefined)
  }

  const landing = async (context: NodeContext, form?: SignInFormError) => {
    const found = await readPageSession(appContext, context)
    const banned = found instanceof Refusal && found.body.code === 'Banned' ? found : null
    const session = banned ? null : found
    if (session instanceof Refusal) return refusedPage(context, session)
    const maintenance = maintenancePage(context, session, form)
    if (maintenance) return maintenance
    const props: LandingPageProps = {
      onlineCount: appContext.presence.onlineCount,
      rooms: listRooms(appContext.reader, activeUsers),
      session: session?.person ?? null,
      notice: banned?.body.message ?? null,
      next: form ? form.next : toSameSitePath(context.req.query('next'), null),
      isSigningUp: canSignUp(session) && (form ? form.form : context.req.query('form')) === 'register',
    }
    return renderPage(context, 'index', form ? { ...props, form } : props, session)
  }

  const notFound = async (context: NodeContext) => {
    if (isApiRequest(context)) return refusalResponse(context, refuse('NotFound'))
    const session = await readPageSession(appContext, context)
    if (session instanceof Refusal) return refusedPage(context, session)
    const maintenance = maintenancePage(context, session)
    if (maintenance) return maintenance
    context.status(404)
    return renderPage(context, '_404', {}, session)
  }

  const room = async (context: NodeContext) => {
    const session = await readPageSession(appContext, context)
    if (session instanceof Refusal) return refusedPage(context, session)
    const maintenance = maintenancePage(context, session)
    if (maintenance) return maintenance
    const roomId = parseRoomId(context.req.param('id'))
    if (roomId === null) return notFound(context)
    if (!session) return context.redirect(`/?next=${encodeURIComponent(`/room/${roomId}`)}`)
    const props = loadRoomPage(appContext, roomId, session)
    if (!(props instanceof Refusal)) return renderPage(context, 'room/[id]', props, session)
    if (props.body.code === 'RoomNotFound') return notFound(context)
    return refusedPage(context, props, session)
  }

  const internalError = async (error: Error, context: NodeContext) => {
    // The client aborted its request, so this is not a server error and nobody reads the answer.
    if (context.env.incoming.readableAborted) return context.body(null, 400)
    const reference = randomBytes(6).toString('hex')
    appContext.log.error({ err: error, reference }, 'a request failed')
    if (isApiRequest(context)) return refusalResponse(context, refuse('Failed'))
    return failureResponse(context, renderer, reference)
  }

  return { landing: (context) => landing(context), rerenderLanding: landing, room, notFound, internalError }
}

/** Reads the room, its messages and the cursor in one snapshot. */
function loadRoomPage(appContext: AppContext, roomId: RoomId, { actor, person }: PageSession): RoomPageProps | Refusal {
  return appContext.reader.snapshot((reader) => {
    const room = findEnterableRoom(appContext, reader, actor, roomId)
    if (room instanceof Refusal) return room
    const { presence } = appContext
    // The viewer is about to enter, so the list already contains them.
    const { users, total } = presence.withUser(roomId, person)
    return {
      room: { ...room, activeUsers: total },
      messages: listLatestMessages(reader, roomId, viewerOf(reader, actor)),
      users,
      total,
      onlineCount: presence.onlineCount + (presence.isOnline(person.id) ? 0 : 1),
      rooms: listRooms(reader, (id) => (id === roomId ? total : presence.roomCount(id))),
      cursor: reader.cursor(),
      serverTime: appContext.clock(),
      viewer: person,
    }
  })
}

function bootDataOf(session: PageSession | null | undefined): Boot {
  if (session === undefined) return {}
  if (session === null) return { session }
  const { actor: _, person, ...tokens } = session
  return { session: { user: person, ...tokens } }
}

function canSignUp(session: PageSession | null): boolean {
  return session === null || session.person.isGuest
}

function parseRoomId(text: string | undefined): number | null {
  return text && /^[1-9]\d{0,14}$/.test(text) ? Number(text) : null
}

function isApiRequest(context: NodeContext): boolean {
  return context.req.path.startsWith('/api/')
}
