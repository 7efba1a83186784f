import { join } from 'node:path'
import { expect, it } from 'vitest'
import { islandsByTrigger } from './islands-by-trigger.ts'

it('islandsByTrigger finds the eager and the deferred islands of the room page', async () => {
  const client = join(import.meta.dirname, '../../client')
  const routes = [join(client, 'routes/room/[id].tsx'), join(client, 'routes/index.tsx')]
  const [thread, dock] = [join(client, 'room-chat/thread.island.tsx'), join(client, 'shell/dock.island.tsx')]
  const atOnce = await islandsByTrigger(routes, ['load'])
  const later = await islandsByTrigger(routes, ['idle', 'visible'])
  expect(atOnce).toContain(thread)
  expect(atOnce).not.toContain(dock)
  expect(later).toContain(dock)
  expect(later).not.toContain(thread)
  expect([...atOnce, ...later].every((file) => file.endsWith('.island.tsx'))).toBe(true)
})
