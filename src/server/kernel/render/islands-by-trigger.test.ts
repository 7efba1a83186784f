import { join } from 'node:path'
import { expect, it } from 'vitest'
import { islandsByTrigger } from './islands-by-trigger.ts'

it('islandsByTrigger finds the eager and the deferred islands of the room page', async () => {
  const client = join(import.meta.dirname, '../../../client')
  const routes = [join(client, 'page/routes/room/[id].tsx'), join(client, 'page/routes/index.tsx')]
  const [composer, dock] = [
    join(client, 'features/room-chat/composer.island.tsx'),
    join(client, 'page/dock.island.tsx'),
  ]
  const atOnce = await islandsByTrigger(routes, ['load'])
  const later = await islandsByTrigger(routes, ['idle', 'visible'])
  expect(atOnce).toContain(composer)
  expect(atOnce).not.toContain(dock)
  expect(later).toContain(dock)
  expect(later).not.toContain(composer)
  expect([...atOnce, ...later].every((file) => file.endsWith('.island.tsx'))).toBe(true)
})
