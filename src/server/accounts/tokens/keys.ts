import { createSecretKey, hkdfSync, type KeyObject, randomBytes } from 'node:crypto'
import { closeSync, fsyncSync, linkSync, mkdirSync, openSync, readFileSync, rmSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import { type Settings, SettingsError } from '../../settings.ts'

/** A key for each purpose, all from one secret, so that what one region signs every other believes. */
export interface Keys {
  userToken: KeyObject
  adminToken: KeyObject
  cookie: KeyObject
  /** By which regions know each other; tokens never see it. */
  link: KeyObject
  /** Of the tickets with which regions hand files to each other. */
  files: KeyObject
  /** By which browsers and addresses of guests are hashed. */
  fingerprint: KeyObject
}

const SECRET_BYTES = 32
const MIN_SECRET_LENGTH = 32

/** The keys of this site. Throws a SettingsError when its secret cannot be used. */
export function loadKeys(settings: Pick<Settings, 'secret' | 'dataFolder'>): Keys {
  return deriveKeys(loadSecret(settings))
}

/** The keys that follow from the site's secret (HKDF, RFC 5869). Throws a SettingsError when it is empty or short. */
export function deriveKeys(secret: string): Keys {
  if (secret.trim().length < MIN_SECRET_LENGTH) {
    throw new SettingsError(`MEYDAN_SECRET should be at least ${MIN_SECRET_LENGTH} characters`)
  }
  const derive = (purpose: string) =>
    createSecretKey(Buffer.from(hkdfSync('sha256', secret, '', `meydan ${purpose}`, SECRET_BYTES)))
  return {
    userToken: derive('user token'),
    adminToken: derive('admin token'),
    cookie: derive('session cookie'),
    link: derive('link'),
    files: derive('files'),
    fingerprint: derive('fingerprint'),
  }
}

/**
 * The site's secret: from the settings, or made once and kept in the data folder, readable by its owner only.
 * Two processes that start at the same time agree on one. Throws a SettingsError when the kept one was damaged.
 */
export function loadSecret(settings: Pick<Settings, 'secret' | 'dataFolder'>): string {
  if (settings.secret !== null) return settings.secret
  const file = join(settings.dataFolder, 'secret')
  const secret = readIfExists(file) ?? createSecretFile(file, settings.dataFolder)
  if (secret.length < MIN_SECRET_LENGTH) {
    throw new SettingsError(`The secret in ${file} is damaged. Restore it, or delete it: everyone signs in again then.`)
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

/** Written whole under another name and then linked, so that nobody ever reads half of it. */
function createSecretFile(file: string, folder: string): string {
  mkdirSync(folder, { recursive: true })
  const draft = `${file}.${randomBytes(6).toString('hex')}`
  const descriptor = openSync(draft, 'wx', 0o600)
  try {
    writeSync(descriptor, randomBytes(SECRET_BYTES).toString('base64url'))
    fsyncSync(descriptor)
    linkSync(draft, file)
  } catch (error) {
    if (!hasErrorCode(error, 'EEXIST')) throw error // another process was first: its secret counts
  } finally {
    closeSync(descriptor)
    rmSync(draft)
  }
  return readFileSync(file, 'utf8').trim()
}

function hasErrorCode(error: unknown, code: string): boolean {
  return error instanceof Error && 'code' in error && error.code === code
}
