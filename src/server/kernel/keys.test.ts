import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { createTemporaryFolder } from '../testing/fixtures/test-database.ts'
import { ConfigError } from './config.ts'
import { deriveKeys, loadKeys, loadSecret } from './keys.ts'

const secret = 'a secret of more than thirty-two characters'

describe('loadSecret', () => {
  let folder: ReturnType<typeof createTemporaryFolder>
  beforeEach(() => {
    folder = createTemporaryFolder()
  })
  afterEach(() => folder.remove())
  const config = () => ({ secret: null, dataFolder: join(folder.path, 'data') })

  it('[ACC-14] generates a secret once and stores it with mode 0600', () => {
    const generated = loadSecret(config())
    const file = join(folder.path, 'data', 'secret')
    expect(Buffer.from(generated, 'base64url')).toHaveLength(32)
    expect(readFileSync(file, 'utf8')).toBe(generated)
    expect(statSync(file).mode & 0o777).toBe(0o600)
    expect(loadSecret(config())).toBe(generated)
  })

  it('[ACC-14] returns the secret of the config and then stores none', () => {
    expect(loadSecret({ ...config(), secret })).toBe(secret)
    expect(() => statSync(join(folder.path, 'data', 'secret'))).toThrow('ENOENT')
  })

  it.each(['', 'short', ' '.repeat(64)])(
    '[ACC-14] throws a ConfigError when the stored secret is damaged: %j',
    (damaged) => {
      mkdirSync(config().dataFolder)
      writeFileSync(join(config().dataFolder, 'secret'), damaged)
      expect(() => loadKeys(config())).toThrow(ConfigError)
    },
  )
})

describe('deriveKeys', () => {
  it('[ACC-14] derives a different key per purpose, from the secret alone', () => {
    const exportKeys = (secretText: string) =>
      Object.values(deriveKeys(secretText)).map((key) => key.export().toString('hex'))
    expect(new Set([...exportKeys(secret), ...exportKeys(`${secret}!`)]).size).toBe(14)
    expect(exportKeys(secret)).toEqual(exportKeys(secret))
  })

  it.each(['', '   ', 'thirty-one characters, not more', ' '.repeat(40)])(
    '[ACC-14] throws a ConfigError for %j',
    (weak) => {
      expect(() => deriveKeys(weak)).toThrow(ConfigError)
    },
  )
})
