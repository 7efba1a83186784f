import { mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { SettingsError } from '../../settings.ts'
import { createTemporaryFolder } from '../../testing/fixtures/test-database.ts'
import { deriveKeys, loadKeys, loadSecret } from './keys.ts'

const secret = 'a secret of more than thirty-two characters'

describe('the secret', () => {
  let folder: ReturnType<typeof createTemporaryFolder>
  beforeEach(() => {
    folder = createTemporaryFolder()
  })
  afterEach(() => folder.remove())
  const settings = () => ({ secret: null, dataFolder: join(folder.path, 'data') })

  it('[ACC-14] is made once, for its owner only, and kept', () => {
    const made = loadSecret(settings())
    const file = join(folder.path, 'data', 'secret')
    expect(Buffer.from(made, 'base64url')).toHaveLength(32)
    expect(readFileSync(file, 'utf8')).toBe(made)
    expect(statSync(file).mode & 0o777).toBe(0o600)
    expect(loadSecret(settings())).toBe(made)
  })

  it('[ACC-14] is that of the settings where they have one, and then none is kept', () => {
    expect(loadSecret({ ...settings(), secret })).toBe(secret)
    expect(() => statSync(join(folder.path, 'data', 'secret'))).toThrow('ENOENT')
  })

  it.each(['', 'short', ' '.repeat(64)])('[ACC-14] stops the start when what was kept is damaged: %j', (damaged) => {
    mkdirSync(settings().dataFolder)
    writeFileSync(join(settings().dataFolder, 'secret'), damaged)
    expect(() => loadKeys(settings())).toThrow(SettingsError)
  })
})

describe('the keys', () => {
  it('[ACC-14] differ by purpose and follow from the secret alone', () => {
    const bytes = (from: string) => Object.values(deriveKeys(from)).map((key) => key.export().toString('hex'))
    expect(new Set([...bytes(secret), ...bytes(`${secret}!`)]).size).toBe(12)
    expect(bytes(secret)).toEqual(bytes(secret))
  })

  it.each(['', '   ', 'thirty-one characters, not more', ' '.repeat(40)])('[ACC-14] are not made from %j', (weak) => {
    expect(() => deriveKeys(weak)).toThrow(SettingsError)
  })
})
