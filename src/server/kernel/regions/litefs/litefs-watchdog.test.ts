import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { expect, it, onTestFinished } from 'vitest'
import { openFakeLiteFs } from '../../../testing/fixtures/fake-litefs.ts'

/** A process with the watchdog; on request it blocks its main thread, as an unanswered read does. */
const siteScript = `
  const { startLiteFsWatchdog } = await import(process.argv[1])
  startLiteFsWatchdog(process.argv[2], process.argv[3])
  process.stdin.once('data', () => {
    require('node:fs').writeSync(1, 'blocked')
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0)
  })
`

it('[REG-04] kills the process while its main thread is blocked, and not for a broken stream', {
  timeout: 60_000,
}, async () => {
  const fake = await openFakeLiteFs()
  onTestFinished(() => fake.close())
  const watch = new URL('./litefs-watchdog.ts', import.meta.url).href
  const child = spawn(process.execPath, ['-e', `(async () => {${siteScript}})()`, watch, fake.url, fake.databaseFile])
  onTestFinished(() => void child.kill('SIGKILL'))
  await fake.waitForListeners(1)
  fake.breakStreams()
  await fake.waitForListeners(0)
  await fake.waitForListeners(1)
  child.stdin.write('block\n')
  await once(child.stdout, 'data')
  const exited = once(child, 'exit')
  await fake.kill()
  expect(await exited).toEqual([null, 'SIGKILL'])
})
