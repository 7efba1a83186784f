import { randomUUID } from 'node:crypto'
import { rm } from 'node:fs/promises'
import { resolve } from 'node:path'
import { performance } from 'node:perf_hooks'
import type { Person } from '../src/shared/accounts/protocol.ts'
import { createPerson } from '../src/shared/accounts/testing/person-fixture.ts'
import type { RoomPageProps } from '../src/shared/rooms/page-props.ts'
import { numberedText } from './measure/deliveries.ts'
import { compareFigure, type Report } from './measure/report.ts'
import { runPeer } from './measure/run-peer.ts'
import { interleave } from './measure/statistics.ts'
import type { Task as BuildTask } from './peers/build-tree.ts'
import { createPeerMessage } from './peers/peer-message.ts'
import type { Task as RenderTask } from './peers/render-page.ts'
import { meydan, type RunningMeydan } from './subjects/meydan.ts'
import { connectAll } from './subjects/subject.ts'

const ROUNDS = 5
const SECONDS = 3
const MESSAGES = 40
const PEOPLE = 100
const BYTES = 120
const CONCURRENCY = 4

interface Rendered {
  perCpuSecond: number
  /** Size of one page. */
  bytes: number
}

/** One room and a user who requests its page. */
interface RoomVisitor {
  sendMessage(): Promise<void>
  /** Returns the size of the page. */
  requestPage(): Promise<number>
}

/** Server CPU of one call under load, and the size of the last page. */
interface CpuPerCall {
  cpuSeconds: number
  bytes: number
}

/** Each requests pages for the given milliseconds. */
interface PageLoads {
  /** Nothing changes between two pages of a room. */
  unchanged(milliseconds: number): Promise<Rendered>
  /** A message arrives before each page. Its CPU is measured alone and subtracted. */
  changed(milliseconds: number): Promise<Rendered>
}

/** The page of a room with 100 users over HTTP, against React rendering the same tree. */
export async function measure(): Promise<Report> {
  const folder = resolve('.cache/bench', randomUUID())
  const site = await meydan.start()
  try {
    const { bundle } = await runPeer<{ bundle: string }>('bench/peers/build-tree.ts', { folder } satisfies BuildTask)
    const load = await prepareLoads(site)
    await load.changed(1_500)
    const task: RenderTask = { bundle, page: roomPage(), seconds: SECONDS }
    const rendered = await interleave(ROUNDS, {
      unchanged: () => load.unchanged(SECONDS * 1000),
      changed: () => load.changed(SECONDS * 1000),
      bare: () => runPeer<Rendered>('bench/peers/render-page.ts', task),
    })
    return toReport(rendered)
  } finally {
    await site.stop()
    await rm(folder, { recursive: true, force: true })
  }
}

/** Fills one room for each concurrent visitor, so that no two visitors request the same room. */
async function prepareLoads(site: RunningMeydan): Promise<PageLoads> {
  const rooms: RoomVisitor[] = []
  while (rooms.length < CONCURRENCY) rooms.push(await fillRoom(site))
  const load = async (milliseconds: number, run: (room: RoomVisitor) => Promise<number>): Promise<CpuPerCall> => {
    const cpuBefore = await site.server.cpuSeconds()
    const deadline = performance.now() + milliseconds
    let calls = 0
    let bytes = 0
    const repeat = async (room: RoomVisitor) => {
      for (; performance.now() < deadline; calls++) bytes = await run(room)
    }
    await Promise.all(rooms.map(repeat))
    return { cpuSeconds: ((await site.server.cpuSeconds()) - cpuBefore) / calls, bytes }
  }
  return {
    unchanged: async (milliseconds) => {
      const { cpuSeconds, bytes } = await load(milliseconds, (room) => room.requestPage())
      return { perCpuSecond: 1 / cpuSeconds, bytes }
    },
    changed: async (milliseconds) => {
      const both = await load(milliseconds, (room) => room.sendMessage().then(room.requestPage))
      const message = await load(milliseconds / 3, (room) => room.sendMessage().then(() => 0))
      return { perCpuSecond: 1 / (both.cpuSeconds - message.cpuSeconds), bytes: both.bytes }
    },
  }
}

async function fillRoom(site: RunningMeydan): Promise<RoomVisitor> {
  const clients = await connectAll(await site.prepareClients(PEOPLE))
  const roomId = await site.openRoom(clients)
  let sent = 0
  const sendMessage = async () => void (await clients[0]?.sendMessage(numberedText(sent++, BYTES)))
  while (sent < MESSAGES) await sendMessage()
  const { cookie } = await site.signInGuest()
  const requestPage = async () => {
    const response = await fetch(`${site.server.origin}/room/${roomId}`, {
      headers: { cookie, 'accept-encoding': 'identity' },
      redirect: 'error',
    })
    const html = await response.arrayBuffer()
    if (!response.ok) throw new Error(`the room's page answered ${response.status}`)
    return html.byteLength
  }
  return { sendMessage, requestPage }
}

/** The props of the peer: as many users and messages as in the room above, of the same length. */
function roomPage(): RoomPageProps {
  const now = Date.now()
  const users = Array.from({ length: PEOPLE }, (_, index) => createGuest(index + 1))
  return {
    room: {
      id: 1001,
      name: 'Oda 1001',
      greetingMessage: null,
      capacity: 100_000,
      isList: false,
      isActive: true,
      ownerId: 1,
      createdAt: 0,
      updatedAt: 0,
      expiryDate: null,
      messagePreference: 'everyone',
      mediaPreference: 'everyone',
      slowModeSeconds: 0,
      backgroundImage: null,
      smallBackgroundImage: null,
      backgroundImageHash: null,
      hasPassword: false,
      activeUsers: PEOPLE,
    },
    messages: Array.from({ length: MESSAGES }, (_, number) =>
      createPeerMessage(number + 1, { roomId: 1001, content: numberedText(number, BYTES), clientId: randomUUID() }),
    ),
    users,
    total: PEOPLE,
    onlineCount: PEOPLE,
    rooms: ['Meydan', 'Sohbet', 'Müzik', 'Oyun', 'Gece Kuşları'].map((name, index) => ({
      id: index + 1,
      name,
      activeUsers: 0,
    })),
    roomCount: 5,
    cursor: MESSAGES,
    serverTime: now,
    viewer: createGuest(PEOPLE + 1),
  }
}

/** Names have the length of the names of the guests in the room. */
function createGuest(id: number): Person {
  return createPerson(id, `gezgin.${String(id).padStart(5, '0')}`)
}

function toReport({ unchanged, changed, bare }: Record<'unchanged' | 'changed' | 'bare', Rendered[]>): Report {
  const toRates = (rounds: Rendered[]) => rounds.map(({ perCpuSecond }) => perCpuSecond)
  const compare = (when: string, ours: Rendered[], atLeast: number) =>
    compareFigure(`${when}, against renderToString alone`, 'pages per CPU second', toRates(ours), toRates(bare), {
      atLeast,
    })
  return {
    figures: [
      compare('nothing changed since the last page', unchanged, 1.3),
      compare('a message since the last page', changed, 0.5),
    ],
    notes: [
      `${MESSAGES} messages, ${PEOPLE} people. Ours over HTTP: session, reads, islands, document, headers (${unchanged[0]?.bytes ?? 0} bytes, not compressed).`,
      'The CPU of a message and its deliveries is measured alone and subtracted from that of message and page.',
      `The peer renders shell and room as one tree with islands as plain components, without their props as JSON (${bare[0]?.bytes ?? 0} bytes).`,
    ],
  }
}
