import { join } from 'node:path'
import { expect, it } from 'vitest'
import { islandsAtOnce } from './islands-at-once.ts'

it('finds the islands that the room needs at once, and none that come later', async () => {
  const client = join(import.meta.dirname, '../../client')
  const found = await islandsAtOnce([join(client, 'routes/room/[id].tsx'), join(client, 'routes/index.tsx')])
  expect(found).toContain(join(client, 'room-chat/thread.island.tsx'))
  expect(found).not.toContain(join(client, 'shell/dock.island.tsx'))
  expect(found.every((file) => file.endsWith('.island.tsx'))).toBe(true)
})
