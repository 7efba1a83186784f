// @module-tag deep
import { spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { closeSync, existsSync, mkdirSync, openSync, symlinkSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import { describe, expect, inject, it, onTestFinished } from 'vitest'
import { findFreePorts } from '../../scripts/regions/free-ports.ts'
import { pollUntil } from '../../scripts/regions/poll-until.ts'
import { makeRegionsFolder, removeRegionsFolder } from '../../scripts/regions/regions-folder.ts'
import { PROJECT_ROOT } from '../drivers/site-process.ts'
import { createConsulProcess } from './consul-process.ts'
import {
  readComposeEnvironment,
  readImage,
  readLitefsVariables,
  readPinnedLitefs,
  readSettingNames,
} from './container-config.ts'
import { findMissingTool } from './test-cluster.ts'

/** The folder, addresses, port and secret of a container on this machine. */
interface ContainerPlacement {
  folder: string
  /** The loopback address of each address of the private network. */
  addresses: Record<string, string>
  port: number
  secret: string
}

/** Maps a container's setting to this machine: its paths below a folder, its addresses to loopback. */
function toLocalValue(value: string, { folder, addresses, secret }: ContainerPlacement): string {
  const localPath = value.replace(/^\/(data|litefs|var\/lib\/litefs)(?=\/|$)/, `${folder}/$1`)
  const localValue = Object.entries(addresses).reduce((text, [name, address]) => text.replace(name, address), localPath)
  return localValue.replace(/^\$\{MEYDAN_SECRET:.*\}$/, secret)
}

/** Runs the image's command with the settings of a container. */
function runContainer(config: Record<string, string>, placement: ContainerPlacement) {
  const { command, environment } = readImage()
  const [program, ...args] = command
  for (const name of ['bin', 'data', 'litefs', 'var/lib/litefs'])
    mkdirSync(join(placement.folder, name), { recursive: true })
  const litefs = inject('litefs')
  if ('path' in litefs) symlinkSync(litefs.path, join(placement.folder, 'bin/litefs'))
  const variables = Object.entries({ ...environment, ...config }).map(([name, value]) => [
    name,
    toLocalValue(value, placement),
  ])
  const path = [join(placement.folder, 'bin'), dirname(process.execPath), process.env.PATH].join(delimiter)
  const output = openSync(join(placement.folder, 'output.log'), 'a')
  const child = spawn(program, args, {
    cwd: PROJECT_ROOT,
    env: { ...Object.fromEntries(variables), HOST: '127.0.0.1', PORT: String(placement.port), PATH: path },
    stdio: ['ignore', output, output],
  })
  closeSync(output)
  onTestFinished(() => void child.kill('SIGKILL'))
  return child
}

async function isReady(port: number): Promise<boolean> {
  return (await fetch(`http://127.0.0.1:${port}/readyz`).catch(() => null))?.ok === true
}

/** Creates a folder that is removed when the test ends. */
function createTestFolder(): string {
  const folder = makeRegionsFolder()
  onTestFinished(() => removeRegionsFolder(folder))
  return folder
}

describe('the image', () => {
  it('[REG-40] has the LiteFS version of the tests and sets only known variables', () => {
    expect(readImage().litefs).toBe(readPinnedLitefs())
    const known = ['NODE_ENV', ...readSettingNames(), ...readLitefsVariables()]
    for (const name of Object.keys(readImage().environment)) expect(known).toContain(name)
    for (const region of ['ist', 'fra']) {
      const composed = Object.keys(readComposeEnvironment(region))
      expect(composed).toContain('LITEFS_HTTP')
      for (const name of composed) expect(known).toContain(name)
    }
  })

  it('[REG-40] runs the site without LiteFS when no LiteFS variable is set', async () => {
    const [port = 0] = await findFreePorts(1)
    const child = runContainer({}, { folder: createTestFolder(), addresses: {}, port, secret: '' })
    await pollUntil('the site is ready', () => isReady(port))
    child.kill('SIGTERM')
    expect(await once(child, 'exit')).toEqual([0, null])
  })
})

describe.skipIf(findMissingTool('litefs', 'consul'))('the containers of compose.yaml', () => {
  it('[REG-40] runs the containers of compose.yaml as one site by their own command and settings', async () => {
    const consul = inject('consul')
    if ('missing' in consul) throw new Error(consul.missing)
    const folder = createTestFolder()
    const server = createConsulProcess(consul.path, join(folder, 'consul'))
    onTestFinished(() => server.kill9())
    await server.start()
    const names = ['ist', 'fra']
    const ports = await findFreePorts(2 * names.length)
    const sites = names.map((_, i) => ports[2 * i] ?? 0)
    const addresses = Object.fromEntries([
      ['consul.regions:8500', `127.0.0.1:${server.port}`],
      ...names.flatMap((name, i) => [
        [`${name}.regions:3000`, `127.0.0.1:${sites[i]}`],
        [`${name}.regions:20202`, `127.0.0.1:${ports[2 * i + 1]}`],
      ]),
    ])
    const secret = randomBytes(32).toString('hex')
    const containers = names.map((name, i) =>
      runContainer(readComposeEnvironment(name), {
        folder: join(folder, name),
        addresses,
        port: sites[i] ?? 0,
        secret,
      }),
    )
    await pollUntil('both are ready', async () => (await Promise.all(sites.map(isReady))).every(Boolean), 60_000)
    for (const [i, name] of names.entries()) {
      const answer = await fetch(`http://127.0.0.1:${sites[i]}/api/region`)
      expect(await answer.json()).toMatchObject({ region: name })
      expect(existsSync(join(folder, name, 'litefs/meydan.db'))).toBe(true)
    }
    for (const container of containers) {
      container.kill('SIGTERM')
      if (container.exitCode === null) await once(container, 'exit')
      expect(container.exitCode).toBe(0)
    }
  })
})
