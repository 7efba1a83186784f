import { pathToFileURL } from 'node:url'
import type { RoomPageProps } from '../../src/shared/rooms/page-props.ts'

/** The bare cost of a page: `renderToString` of the built tree in a loop. */
export interface Task {
  /** The module that `bench/peers/build-tree.ts` built. */
  bundle: string
  page: RoomPageProps
  seconds: number
}

const { bundle, page, seconds } = JSON.parse(process.argv[2] ?? '{}') as Task
// The module exports what room-tree.tsx exports.
const { renderRoom } = (await import(pathToFileURL(bundle).href)) as { renderRoom: (page: RoomPageProps) => string }

function renderFor(milliseconds: number): { perCpuSecond: number; bytes: number } {
  const before = process.cpuUsage()
  const startedAt = performance.now()
  let pages = 0
  let bytes = 0
  while (performance.now() - startedAt < milliseconds) {
    bytes = Buffer.byteLength(renderRoom(page))
    pages += 1
  }
  const { user, system } = process.cpuUsage(before)
  return { perCpuSecond: (pages * 1e6) / (user + system), bytes }
}

renderFor(1_500)
console.log(JSON.stringify(renderFor(seconds * 1000)))
