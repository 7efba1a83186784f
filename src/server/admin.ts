import { randomBytes } from 'node:crypto'
import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import * as v from 'valibot'
import { Username } from '../shared/accounts/protocol.ts'
import { Refusal } from '../shared/protocol/refusals.ts'
import { commandRegistry } from './commands.ts'
import { PasswordHasher } from './features/accounts/passwords/password-hasher.ts'
import { makeRootAdmin } from './features/accounts/roles/make-root-admin.ts'
import { setMaintenance } from './features/moderation/set-maintenance.ts'
import { checkLedger } from './features/wallet/check-ledger.ts'
import { type Config, ConfigError, readConfig } from './kernel/config.ts'
import { backUp } from './kernel/database/backup.ts'
import type { Command } from './kernel/database/commands/define-command.ts'
import { loadMigrations, migrate, migrationState } from './kernel/database/migrate.ts'
import { DatabaseError, openForReading, openForWriting } from './kernel/database/open.ts'
import { DatabaseReader } from './kernel/database/read.ts'
import { restore } from './kernel/database/restore.ts'
import { LeaseLostError, Writer } from './kernel/database/writer.ts'

const USAGE = `Usage:
  npm run admin -- <username>       makes or promotes a root admin and prints a one-time password
  npm run admin -- backup <file>    copies the database into a new file; the site may go on
  npm run admin -- restore <file>   puts a backup in the place of the database; the site must be stopped
  npm run admin -- maintenance on   closes the site to everybody but root admins; \`off\` opens it again
  npm run admin -- check-ledger     checks that no money has appeared or vanished; the site may go on`

/** An expected failure; its message is shown to the operator. */
class AdminError extends Error {}

/** Runs one admin command and returns the text to print. Throws AdminError, ConfigError and DatabaseError. */
export async function runAdmin(args: string[], config: Config): Promise<string> {
  const [first, file, ...rest] = args
  if (first === undefined || rest.length > 0) throw new AdminError(USAGE)
  if (first === 'backup' && file !== undefined) return backUpToFile(config, file)
  if (first === 'restore' && file !== undefined) return restoreFromFile(config, file)
  if (first === 'maintenance' && (file === 'on' || file === 'off')) return setMaintenanceMode(config, file === 'on')
  if (first === 'check-ledger' && file === undefined) return checkWholeLedger(config)
  if (file !== undefined || /^(-.*|backup|restore|maintenance|check-ledger)$/.test(first)) throw new AdminError(USAGE)
  return promoteOrCreateRootAdmin(config, first)
}

function backUpToFile({ databaseFile }: Config, file: string): string {
  backUp(databaseFile, resolve(file))
  return `Backed up to ${file}. The site's secret and its uploads are files of their own: keep copies of them too.`
}

async function restoreFromFile({ databaseFile }: Config, file: string): Promise<string> {
  const now = Date.now()
  const kept = restore({ databaseFile, source: resolve(file), migrations: await loadMigrations(), now })
  const old = kept ? ` The database of before is kept as ${kept}.` : ''
  return `Restored from ${file}.${old} Everyone signs in again when the site starts.`
}

async function promoteOrCreateRootAdmin(config: Config, name: string): Promise<string> {
  const parsed = v.safeParse(Username, name)
  if (!parsed.success) throw new AdminError(`"${name}" cannot be a username: ${parsed.issues[0].message}`)
  const password = randomBytes(12).toString('base64url')
  const passwordHash = await new PasswordHasher().hash(password)
  if (passwordHash instanceof Refusal) throw new AdminError(passwordHash.body.message)

  const created = await runWriteCommand(config, makeRootAdmin, { username: parsed.output, passwordHash })
  if (created instanceof Refusal) {
    throw new AdminError(
      `A guest who is here is called ${parsed.output}. Try again when the guest has gone, or take another name.`,
    )
  }
  return [
    `${created.username} is ${created.isNew ? 'a new root admin' : 'a root admin now and was signed out everywhere'}.`,
    `One-time password: ${password}`,
    'It is shown here only. Sign in with it on the front page.',
  ].join('\n')
}

async function setMaintenanceMode(config: Config, isOn: boolean): Promise<string> {
  const { isChanged } = unwrapAnswer(await runWriteCommand(config, setMaintenance, { isOn }))
  if (!isChanged) return `The site is ${isOn ? 'under' : 'not under'} maintenance already.`
  return isOn
    ? 'The site is under maintenance: root admins go on, and everybody else waits until it is switched off.'
    : 'The maintenance is over: everybody may go on.'
}

/** Throws an AdminError with a line for each fault. */
async function checkWholeLedger({ databaseFile }: Config): Promise<string> {
  if (!existsSync(databaseFile)) throw new AdminError(`There is no database ${databaseFile}.`)
  const migrations = await loadMigrations()
  const db = openForReading(databaseFile)
  try {
    if (migrationState(db, migrations) === 'behind') throw new AdminError('Start the site once: it adds the ledger.')
    const faults = checkLedger(new DatabaseReader(db))
    if (faults.length > 0) throw new AdminError(faults.join('\n'))
    return 'The ledger is right: every transaction sums to zero, and every balance is that of its entries.'
  } finally {
    db.close()
  }
}

function unwrapAnswer<T>(answer: T | Refusal): T {
  if (answer instanceof Refusal) throw new AdminError(answer.body.message)
  return answer
}

/** Runs one command in this process. A running site can run some too, because each batch takes the lock for itself. */
async function runWriteCommand<I extends object, A extends object>(
  { databaseFile, litefs }: Config,
  command: Command<I, A>,
  input: I,
): Promise<A | Refusal> {
  const onLiteFs = litefs !== null
  const db = openForWriting(databaseFile)
  try {
    // In a cluster only the primary's site migrates.
    if (!onLiteFs) migrate(db, await loadMigrations(), Date.now())
    const job = { id: 1, command: command.name, actor: null, input, clientId: null }
    const [result] = new Writer(db, { commands: commandRegistry, clock: Date.now, isOnLiteFs: onLiteFs }).runBatch([
      job,
    ]).results
    if (result?.refusal && !result.errorStack) return new Refusal(result.refusal)
    if (!result?.answer) throw new AdminError(result?.errorStack ?? 'The writer did not answer.')
    return result.answer as A // the answer type of this command
  } catch (error) {
    if (!(error instanceof LeaseLostError)) throw error
    throw new AdminError('This region is not the primary, and only the primary can write. Run this command there.')
  } finally {
    db.close()
  }
}

if (import.meta.main) {
  try {
    process.umask(0o077)
    console.log(await runAdmin(process.argv.slice(2), readConfig(process.env)))
  } catch (error) {
    const isExpected = [AdminError, ConfigError, DatabaseError].some((kind) => error instanceof kind)
    if (!isExpected) throw error
    console.error((error as Error).message) // each of the three is an Error
    process.exitCode = 1
  }
}
