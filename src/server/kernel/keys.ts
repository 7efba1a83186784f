import { createSecretKey, hkdfSync, type KeyObject, randomBytes } from 'node:crypto'
import { closeSync, fsyncSync, linkSync, mkdirSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { type Config, ConfigError } from './config.ts'

/** One key per purpose, all derived from one secret, so that every region can verify what another signed. */
export interface Keys {
  userToken: KeyObject
  adminToken: KeyObject
  cookie: KeyObject
  /** Authenticates regions to each other; signs no tokens. */
  link: KeyObject
  /** Signs the requests by which regions copy files. */
  files: KeyObject
  /** Signs the cookies of familiar devices. */
  device: KeyObject
  /** Hashes browser ids and addresses. */
  fingerprint: KeyObject
}

const SECRET_BYTES = 32
const MIN_SECRET_LENGTH = 32

/** The keys of this site. Throws a ConfigError when the secret is empty, short or damaged. */
export function loadKeys(config: Pick<Config, 'secret' | 'dataFolder'>): Keys {
  return deriveKeys(loadSecret(config))
}

/** Derives the keys from the secret (HKDF, RFC 5869). Throws a ConfigError when it is empty or short. */
export function deriveKeys(secret: string): Keys {
  if (secret.trim().length < MIN_SECRET_LENGTH) {
    throw new ConfigError(`MEYDAN_SECRET should be at least ${MIN_SECRET_LENGTH} characters`)
  }
  const derive = (purpose: string) =>
    createSecretKey(Buffer.from(hkdfSync('sha256', secret, '', `meydan ${purpose}`, SECRET_BYTES)))
  return {
    userToken: derive('user token'),
    adminToken: derive('admin token'),
    cookie: derive('session cookie'),
    link: derive('link'),
    files: derive('files'),
    device: derive('familiar device'),
    fingerprint: derive('fingerprint'),
  }
}

/**
 * The site's secret: from the settings, or generated once and stored in the data folder with mode 0600.
 * Processes that start at the same time agree on one. Throws a ConfigError when the stored secret is damaged.
 */
export function loadSecret(config: Pick<Config, 'secret' | 'dataFolder'>): string {
  if (config.secret !== null) return config.secret
  const file = join(config.dataFolder, 'secret')
  const secret = readIfExists(file) ?? createSecretFile(file, config.dataFolder)
  if (secret.length < MIN_SECRET_LENGTH) {
    throw new ConfigError(`The secret in ${file} is damaged. Restore it, or delete it: everyone signs in again then.`)
  }
  return secret
}

function readIfExists(file: string): string | null {
  try {
    return readFileSync(file, 'utf8').trim()
  } catch (error) {
    if (hasErrorCode(error, 'ENOENT')) return null
    throw error
  }
}

/** Writes a draft and links it to its name, so that no process reads a partial secret. */
function createSecretFile(file: string, folder: string): string {
  mkdirSync(folder, { recursive: true })
  const draft = `${file}.${randomBytes(6).toString('hex')}`
  const descriptor = openSync(draft, 'wx', 0o600)
  try {
    writeSync(descriptor, randomBytes(SECRET_BYTES).toString('base64url'))
    fsyncSync(descriptor)
    linkSync(draft, file)
  } catch (error) {
    if (!hasErrorCode(error, 'EEXIST')) throw error // another process was first; its secret is used
  } finally {
    closeSync(descriptor)
    rmSync(draft)
  }
  return readFileSync(file, 'utf8').trim()
}

function hasErrorCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code
}
