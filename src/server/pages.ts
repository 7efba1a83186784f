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

/** The pages of the site: what each is rendered from, and for whom. */
export interface Pages {
  landing(context: NodeContext): Promise<Response>
  /** The landing page with a form that was refused. */
  rerenderLanding(context: NodeContext, form: SignInFormError): Promise<Response>
  room(context: NodeContext): Promise<Response>
  notFound(context: NodeContext): Promise<Response>
  internalError(error: Error, context: NodeContext): Promise<Response>
}

export function createPages(world: AppContext, renderer: Renderer): Pages {
  const activeUsers = (roomId: RoomId) => world.presence.roomCount(roomId)

  const show = <N extends PageName>(
    context: NodeContext,
    name: N,
    props: PageProps<N>,
    session: PageSession | null | undefined,
  ) => {
    const started = performance.now()
    const response = pageResponse(context, renderer, name, props, bootDataOf(session))
    world.metrics.recordPageRender(name, performance.now() - started)
    return response
  }

  /** Why a page cannot be shown now; who looks may be unknown, too. */
  const refused = (context: NodeContext, { body }: Refusal, session?: PageSession) => {
    context.status(httpStatusOf(body.code))
    if (body.code !== 'Banned') return show(context, '_error', { message: body.message }, session)
    // What the browser keeps stays, so that this page does too.
    return show(context, '_error', { message: refusals.Banned.message, text: body.message }, undefined)
  }

  /** For all but root admins, the one page that there is during maintenance; they sign in there. */
  const closed = (context: NodeContext, session: PageSession | null, form?: SignInFormError) => {
    if (!isInMaintenanceFor(world, session?.actor.role ?? null)) return null
    context.status(503)
    context.header('retry-after', '60')
    // Nothing is said of who is signed in: what the browser keeps stays as it is.
    return show(context, '_maintenance', { form: form?.form === 'login' ? form : null }, undefined)
  }

  const landing = async (context: NodeContext, form?: SignInFormError) => {
    const found = await readPageSession(world, context)
    const banned = found instanceof Refusal && found.body.code === 'Banned' ? found : null
    const session = banned ? null : found
    if (session instanceof Refusal) return refused(context, session)
    const isClosed = closed(context, session, form)
    if (isClosed) return isClosed
    const props: LandingPageProps = {
      onlineCount: world.presence.onlineCount,
      rooms: listRooms(world.reader, activeUsers),
      session: session?.person ?? null,
      notice: banned?.body.message ?? null,
      next: form ? form.next : toSameSitePath(context.req.query('next'), null),
      isSigningUp: canSignUp(session) && (form ? form.form : context.req.query('form')) === 'register',
    }
    return show(context, 'index', form ? { ...props, form } : props, session)
  }

  const notFound = async (context: NodeContext) => {
    if (isApiRequest(context)) return refusalResponse(context, refuse('NotFound'))
    const session = await readPageSession(world, context)
    if (session instanceof Refusal) return refused(context, session)
    const isClosed = closed(context, session)
    if (isClosed) return isClosed
    context.status(404)
    return show(context, '_404', {}, session)
  }

  const room = async (context: NodeContext) => {
    const session = await readPageSession(world, context)
    if (session instanceof Refusal) return refused(context, session)
    const isClosed = closed(context, session)
    if (isClosed) return isClosed
    const roomId = parseRoomId(context.req.param('id'))
    if (roomId === null) return notFound(context)
    if (!session) return context.redirect(`/?next=${encodeURIComponent(`/room/${roomId}`)}`)
    const props = loadRoomPage(world, roomId, session)
    if (!(props instanceof Refusal)) return show(context, 'room/[id]', props, session)
    if (props.body.code === 'RoomNotFound') return notFound(context)
    return refused(context, props, session)
  }

  const failed = async (error: Error, context: NodeContext) => {
    // Whoever hung up while sending is no fault of ours, and hears nothing any more.
    if (context.env.incoming.readableAborted) return context.body(null, 400)
    const reference = randomBytes(6).toString('hex')
    world.log.error({ err: error, reference }, 'a request failed')
    if (isApiRequest(context)) return refusalResponse(context, refuse('Failed'))
    return failureResponse(context, renderer, reference)
  }

  return { landing: (context) => landing(context), rerenderLanding: landing, room, notFound, internalError: failed }
}

/** One read of the database: the room, what was said, and the cursor that goes with it. */
function loadRoomPage(world: AppContext, roomId: RoomId, { actor, person }: PageSession): RoomPageProps | Refusal {
  return world.reader.snapshot((reader) => {
    const room = findEnterableRoom(world, reader, actor, roomId)
    if (room instanceof Refusal) return room
    const { presence } = world
    // Whoever looks at it is entering: a page on which nobody is there would be untrue from the first moment.
    const { users, total } = presence.withUser(roomId, person)
    return {
      room: { ...room, activeUsers: total },
      messages: listLatestMessages(reader, roomId, viewerOf(reader, actor)),
      users,
      total,
      onlineCount: presence.onlineCount + (presence.isOnline(person.id) ? 0 : 1),
      rooms: listRooms(reader, (id) => (id === roomId ? total : presence.roomCount(id))),
      cursor: reader.cursor(),
      serverTime: world.clock(),
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
