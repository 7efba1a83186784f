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

/** The page of a room with 100 users over HTTP, against React rendering the same tree. */
export async function measure(): Promise<Report> {
  const folder = resolve('.cache/bench', randomUUID())
  const site = await meydan.start()
  try {
    const { bundle } = await runPeer<{ bundle: string }>('bench/peers/build-tree.ts', { folder } satisfies BuildTask)
    const load = await prepareRoomPage(site)
    await load(1_500)
    const task: RenderTask = { bundle, page: roomPage(), seconds: SECONDS }
    const rendered = await interleave(ROUNDS, {
      ours: () => load(SECONDS * 1000),
      bare: () => runPeer<Rendered>('bench/peers/render-page.ts', task),
    })
    return toReport(rendered.ours, rendered.bare)
  } finally {
    await site.stop()
    await rm(folder, { recursive: true, force: true })
  }
}

/** Fills a room with users and messages. Returns a function that requests its page for the given milliseconds. */
async function prepareRoomPage(site: RunningMeydan): Promise<(milliseconds: number) => Promise<Rendered>> {
  const clients = await connectAll(await site.prepareClients(PEOPLE))
  const roomId = await site.openRoom(clients)
  for (let number = 0; number < MESSAGES; number++) await clients[0]?.sendMessage(numberedText(number, BYTES))
  const { cookie } = await site.signInGuest()
  const url = `${site.server.origin}/room/${roomId}`
  return (milliseconds) => loadFor(milliseconds, site, url, cookie)
}

async function loadFor(milliseconds: number, site: RunningMeydan, url: string, cookie: string): Promise<Rendered> {
  const cpuBefore = await site.server.cpuSeconds()
  const deadline = performance.now() + milliseconds
  let pages = 0
  let bytes = 0
  const requestPages = async () => {
    while (performance.now() < deadline) {
      const response = await fetch(url, { headers: { cookie, 'accept-encoding': 'identity' }, redirect: 'error' })
      const html = await response.arrayBuffer()
      if (!response.ok) throw new Error(`the room's page answered ${response.status}`)
      bytes = html.byteLength
      pages += 1
    }
  }
  await Promise.all(Array.from({ length: CONCURRENCY }, requestPages))
  return { perCpuSecond: pages / ((await site.server.cpuSeconds()) - cpuBefore), bytes }
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
    cursor: MESSAGES,
    serverTime: now,
    viewer: createGuest(PEOPLE + 1),
  }
}

/** Names have the length of the names of the guests in the room. */
function createGuest(id: number): Person {
  return createPerson(id, `gezgin.${String(id).padStart(5, '0')}`)
}

function toReport(ours: Rendered[], bare: Rendered[]): Report {
  const toRates = (rounds: Rendered[]) => rounds.map(({ perCpuSecond }) => perCpuSecond)
  return {
    figures: [
      compareFigure('against renderToString alone', 'pages per CPU second', toRates(ours), toRates(bare), {
        atLeast: 0.7,
      }),
    ],
    notes: [
      `${MESSAGES} messages, ${PEOPLE} people. Ours over HTTP: session, reads, islands, document, headers (${ours[0]?.bytes ?? 0} bytes, not compressed).`,
      `The peer renders shell and room as one tree with islands as plain components, without their props as JSON (${bare[0]?.bytes ?? 0} bytes).`,
    ],
  }
}
