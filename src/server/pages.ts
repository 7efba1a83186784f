import { randomBytes } from 'node:crypto'
import type { Boot } from '../client/boot.ts'
import { Refusal, refusals, refuse } from '../shared/protocol/refusals.ts'
import type { LandingPage, RefusedEntry, RoomPage } from '../shared/rooms/page.ts'
import { pathOnSite } from './accounts/forms.ts'
import { type PageSession, readPageSession } from './accounts/page-session.ts'
import { type NodeContext, refusalResponse, statusOf } from './http/mount.ts'
import { isClosedTo } from './moderation/access.ts'
import { viewerOf } from './relations/queries.ts'
import type { PageName, PageProps } from './render/page-modules.ts'
import { failureResponse, pageResponse } from './render/page-response.ts'
import type { Renderer } from './render/renderer.ts'
import { listLatestMessages } from './room-chat/queries.ts'
import { enterableRoom } from './rooms/access.ts'
import { listRooms } from './rooms/queries.ts'
import type { World } from './world.ts'

/** The pages of the site: what each is rendered from, and for whom. */
export interface Pages {
  landing(context: NodeContext): Promise<Response>
  /** The landing page with a form that was refused. */
  landingAgain(context: NodeContext, form: RefusedEntry): Promise<Response>
  room(context: NodeContext): Promise<Response>
  notFound(context: NodeContext): Promise<Response>
  failed(error: Error, context: NodeContext): Promise<Response>
}

export function createPages(world: World, renderer: Renderer): Pages {
  const activeUsers = (roomId: number) => world.presence.countIn(roomId)

  const show = <N extends PageName>(
    context: NodeContext,
    name: N,
    props: PageProps<N>,
    session: PageSession | null | undefined,
  ) => {
    const started = performance.now()
    const response = pageResponse(context, renderer, name, props, bootOf(session))
    world.metrics.pageRendered(name, performance.now() - started)
    return response
  }

  /** Why a page cannot be shown now; who looks may be unknown, too. */
  const refused = (context: NodeContext, { body }: Refusal, session?: PageSession) => {
    context.status(statusOf(body.code))
    if (body.code !== 'Banned') return show(context, '_error', { message: body.message }, session)
    // What the browser keeps stays, so that this page does too.
    return show(context, '_error', { message: refusals.Banned.message, text: body.message }, undefined)
  }

  /** For all but root admins, the one page that there is during maintenance; they sign in there. */
  const closed = (context: NodeContext, session: PageSession | null, form?: RefusedEntry) => {
    if (!isClosedTo(world, session?.actor.role ?? null)) return null
    context.status(503)
    context.header('retry-after', '60')
    // Nothing is said of who is signed in: what the browser keeps stays as it is.
    return show(context, '_maintenance', { form: form?.which === 'login' ? form : null }, undefined)
  }

  const landing = async (context: NodeContext, form?: RefusedEntry) => {
    const found = await readPageSession(world, context)
    const banned = found instanceof Refusal && found.body.code === 'Banned' ? found : null
    const session = banned ? null : found
    if (session instanceof Refusal) return refused(context, session)
    const isClosed = closed(context, session, form)
    if (isClosed) return isClosed
    const props: LandingPage = {
      onlineCount: world.presence.onlineCount,
      rooms: listRooms(world.read, activeUsers),
      session: session?.person ?? null,
      notice: banned?.body.message ?? null,
      next: form ? form.next : pathOnSite(context.req.query('next'), null),
      isSigningUp: mayBecomeMember(session) && (form ? form.which : context.req.query('form')) === 'register',
    }
    return show(context, 'index', form ? { ...props, form } : props, session)
  }

  const notFound = async (context: NodeContext) => {
    if (isForPrograms(context)) return refusalResponse(context, refuse('NotFound'))
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
    const roomId = toRoomId(context.req.param('id'))
    if (roomId === null) return notFound(context)
    if (!session) return context.redirect(`/?next=${encodeURIComponent(`/room/${roomId}`)}`)
    const props = loadRoom(world, roomId, session)
    if (!(props instanceof Refusal)) return show(context, 'room/[id]', props, session)
    if (props.body.code === 'RoomNotFound') return notFound(context)
    return refused(context, props, session)
  }

  const failed = async (error: Error, context: NodeContext) => {
    // Whoever hung up while sending is no fault of ours, and hears nothing any more.
    if (context.env.incoming.readableAborted) return context.body(null, 400)
    const reference = randomBytes(6).toString('hex')
    world.log.error({ err: error, reference }, 'a request failed')
    if (isForPrograms(context)) return refusalResponse(context, refuse('Failed'))
    return failureResponse(context, renderer, reference)
  }

  return { landing: (context) => landing(context), landingAgain: landing, room, notFound, failed }
}

/** One read of the database: the room, what was said, and the cursor that goes with it. */
function loadRoom(world: World, roomId: number, { actor, person }: PageSession): RoomPage | Refusal {
  return world.read.snapshot((reader) => {
    const room = enterableRoom(world, reader, actor, roomId)
    if (room instanceof Refusal) return room
    const { presence } = world
    // Whoever looks at it is entering: a page on which nobody is there would be untrue from the first moment.
    const { users, total } = presence.including(roomId, person)
    return {
      room: { ...room, activeUsers: total },
      messages: listLatestMessages(reader, roomId, viewerOf(reader, actor)),
      users,
      total,
      onlineCount: presence.onlineCount + (presence.isOnline(person.id) ? 0 : 1),
      rooms: listRooms(reader, (id) => (id === roomId ? total : presence.countIn(id))),
      cursor: reader.cursor(),
      serverTime: world.clock(),
      viewer: person,
    }
  })
}

function bootOf(session: PageSession | null | undefined): Boot {
  if (session === undefined) return {}
  if (session === null) return { session }
  const { actor: _, person, ...tokens } = session
  return { session: { user: person, ...tokens } }
}

function mayBecomeMember(session: PageSession | null): boolean {
  return session === null || session.person.isGuest
}

function toRoomId(text: string | undefined): number | null {
  return text && /^[1-9]\d{0,14}$/.test(text) ? Number(text) : null
}

function isForPrograms(context: NodeContext): boolean {
  return context.req.path.startsWith('/api/')
}
