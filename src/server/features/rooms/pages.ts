import { bodyLimit } from 'hono/body-limit'
import type { RoomId } from '../../../shared/protocol/ids.ts'
import { Refusal } from '../../../shared/protocol/refusals.ts'
import { MAX_ROOM_PASSWORD_LENGTH, OTHER_ROOM_LABEL } from '../../../shared/room-access/texts.ts'
import { DEFAULT_ROOM_ID } from '../../../shared/room-chat/limits.ts'
import type { LandingPageProps, RoomLandingPageProps, RoomPageProps } from '../../../shared/rooms/page-props.ts'
import type { Room } from '../../../shared/rooms/protocol.ts'
import type { AppContext } from '../../kernel/app-context.ts'
import { authentication, type PageSession } from '../../kernel/http/authentication.ts'
import { clientAddress } from '../../kernel/http/client-address.ts'
import type { NodeApp, NodeContext } from '../../kernel/http/node-app.ts'
import { requestOrigin } from '../../kernel/http/request-origin.ts'
import { httpStatusOf } from '../../kernel/http/route.ts'
import { toSameSitePath } from '../../kernel/http/same-site-path.ts'
import type { Pages, RefusedForm } from '../../kernel/render/pages.ts'
import { listLatestMessages } from '../../model/conversations/room-messages.ts'
import { viewerOf } from '../../model/relations/queries.ts'
import { findEnterableRoom, findWriteRefusal } from '../../model/rooms/access.ts'
import { checkRoomPassword } from '../../model/rooms/entry-services.ts'
import { roomById, toRoom } from '../../model/rooms/queries.ts'
import { roomList } from './room-list.ts'

const MAX_FORM_BYTES = 16 * 1024
const ROOM_PATH = /^\/room\/(\d+)(?:\?|$)/
/** The people whom a room's landing page names. */
const MAX_NAMED_PEOPLE = 6

/** `/` and `/room/{id}`. */
export function registerRoomPages(app: NodeApp, appContext: AppContext, pages: Pages): void {
  pages.register('index', (context, form) => openLanding(appContext, pages, context, form))
  app.get('/', (context) => pages.open('index', context))
  app.get('/room/:id', (context) => openRoom(appContext, pages, context))
  app.post('/room/:id', bodyLimit({ maxSize: MAX_FORM_BYTES }), (context) => enterByForm(appContext, pages, context))
}

/** A banned visitor sees the ban's notice and no session. */
async function openLanding(
  appContext: AppContext,
  pages: Pages,
  context: NodeContext,
  form?: RefusedForm,
): Promise<Response> {
  const found = await appContext.service(authentication).readPageSession(context)
  const banned = found instanceof Refusal && found.body.code === 'Banned' ? found : null
  const session = banned ? null : found
  if (session instanceof Refusal) return pages.renderRefusal(context, session)
  const maintenance = pages.renderMaintenance(context, session, form)
  if (maintenance) return maintenance
  const room = form?.isOfRoom && found === null ? findActiveRoom(appContext, form.next?.match(ROOM_PATH)?.[1]) : null
  if (room) return renderRoomLanding(appContext, pages, context, room, form)
  const props: LandingPageProps = {
    onlineCount: appContext.presence.onlineCount(session?.actor ?? null),
    rooms: appContext.service(roomList).busiest(appContext.reader, session?.actor ?? null).rooms,
    session: session?.person ?? null,
    notice: banned?.body.message ?? null,
    next: form ? form.next : toSameSitePath(context.req.query('next'), null),
    isSigningUp: canSignUp(session) && (form ? form.form : context.req.query('form')) === 'register',
  }
  const share = { path: '/', picture: '/card.jpg', isIndexed: true }
  return pages.render(context, 'index', form ? { ...props, form } : props, session, share)
}

async function openRoom(appContext: AppContext, pages: Pages, context: NodeContext): Promise<Response> {
  const visitor = await pages.readVisitor(context)
  if (visitor instanceof Response) return visitor
  const roomId = parseRoomId(context.req.param('id'))
  if (roomId === null) return pages.renderNotFound(context)
  if (!visitor) {
    const room = findActiveRoom(appContext, context.req.param('id'))
    return room ? renderRoomLanding(appContext, pages, context, room) : pages.renderNotFound(context)
  }
  const props = loadRoomPage(appContext, roomId, visitor)
  if (!(props instanceof Refusal)) return pages.render(context, 'room/[id]', props, visitor)
  if (props.body.code === 'RoomNotFound') {
    // A browser opens its last room: without this, one that was deactivated would keep its visitors out of the site.
    const isDeactivated = roomId !== DEFAULT_ROOM_ID && appContext.reader.get(roomById, { id: roomId }) !== undefined
    return isDeactivated ? context.redirect(`/room/${DEFAULT_ROOM_ID}`) : pages.renderNotFound(context)
  }
  if (props.body.code === 'RoomPasswordRequired')
    return renderPasswordPage(appContext, pages, context, { roomId, visitor })
  // A browser opens its last room: a refusal there must lead out of it.
  const elsewhere = { href: `/room/${DEFAULT_ROOM_ID}`, label: OTHER_ROOM_LABEL }
  return pages.renderRefusal(context, props, visitor, roomId === DEFAULT_ROOM_ID ? undefined : elsewhere)
}

/** The page of a room for a stranger, who enters it as a guest: with what every guest may see. */
function renderRoomLanding(
  { presence }: AppContext,
  pages: Pages,
  context: NodeContext,
  { id, name, hasPassword, isList }: Room,
  form?: RefusedForm,
): Response {
  const path = `/room/${id}`
  const { users, total } = presence.connectedIn(id)
  const people = hasPassword ? [] : users.slice(0, MAX_NAMED_PEOPLE)
  const props: RoomLandingPageProps = {
    room: { id, name, hasPassword },
    people: people.map((person) => ({ ...person, avatarUrl: null })),
    total,
    // With the query, which may name a profile (client/features/profiles/profile-link.ts).
    next: form?.next ?? path + (context.req.url.match(/\?[^#]*/)?.[0] ?? ''),
    ...(form && { form }),
  }
  const share = { path, picture: `${path}/card.jpg`, isIndexed: isList && !hasPassword }
  return pages.render(context, '_room-landing', props, null, share)
}

/** The form of the password page without scripts: it leads to the room, or comes back with the reason. */
async function enterByForm(appContext: AppContext, pages: Pages, context: NodeContext): Promise<Response> {
  const roomId = parseRoomId(context.req.param('id'))
  const form = new URLSearchParams(await context.req.text())
  if (roomId === null) return pages.renderNotFound(context)
  // Without scripts the form has no token, so its cookie counts, as in a refresh.
  const isOwnForm = requestOrigin(appContext.config, context.env.incoming) === 'allowed'
  const visitor = isOwnForm ? await pages.readVisitor(context) : null
  if (visitor instanceof Response) return visitor
  if (visitor === null) return context.redirect(`/room/${roomId}`, 303)
  const address = clientAddress(appContext.config, context.env.incoming)
  const password = (form.get('password') ?? '').slice(0, MAX_ROOM_PASSWORD_LENGTH)
  const checked = await appContext.service(checkRoomPassword)(visitor.actor, { roomId, password }, address)
  if (!(checked instanceof Refusal)) return context.redirect(`/room/${roomId}`, 303)
  return renderPasswordPage(appContext, pages, context, { roomId, visitor, refusal: checked })
}

function renderPasswordPage(
  appContext: AppContext,
  pages: Pages,
  context: NodeContext,
  { roomId, visitor, refusal }: { roomId: RoomId; visitor: PageSession; refusal?: Refusal },
): Response {
  const roomName = appContext.reader.get(roomById, { id: roomId })?.name ?? ''
  context.status(httpStatusOf(refusal?.body.code ?? 'RoomPasswordRequired'))
  const props = { roomId, roomName, error: refusal?.body.message ?? null }
  return pages.render(context, '_room-password', props, visitor)
}

/** Reads the room, its messages and the cursor in one snapshot. */
export function loadRoomPage(
  appContext: AppContext,
  roomId: RoomId,
  { actor, person }: PageSession,
): RoomPageProps | Refusal {
  return appContext.reader.snapshot((reader) => {
    const room = findEnterableRoom(appContext, reader, actor, roomId)
    if (room instanceof Refusal) return room
    const { presence } = appContext
    // The viewer is about to enter, so the list already contains them.
    const { users, total } = presence.withUser(roomId, person)
    const cursor = reader.cursor()
    const writeRefusal = findWriteRefusal(reader, person, room)
    const { rooms, roomCount } = appContext.service(roomList).busiest(reader, actor, { roomId, activeUsers: total })
    return {
      room: { ...room, activeUsers: total },
      messages: listLatestMessages(reader, roomId, viewerOf(reader, actor)),
      users,
      total,
      onlineCount: presence.onlineCount(actor) + (presence.isOnline(person.id, actor) ? 0 : 1),
      rooms,
      roomCount,
      cursor,
      serverTime: appContext.clock(),
      viewer: person,
      ...(writeRefusal !== null && { writePermission: { canWrite: false, placeholder: writeRefusal } }),
    }
  })
}

function canSignUp(session: PageSession | null): boolean {
  return session === null || session.person.isGuest
}

function findActiveRoom({ reader }: AppContext, idText: string | undefined): Room | null {
  const id = parseRoomId(idText)
  const row = id === null ? undefined : reader.get(roomById, { id })
  return row?.isActive === 1 ? toRoom(row, 0) : null
}

function parseRoomId(text: string | undefined): number | null {
  return text && /^[1-9]\d{0,14}$/.test(text) ? Number(text) : null
}
