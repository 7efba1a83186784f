import { existsSync, readFileSync } from 'node:fs'
import { createServer, type IncomingMessage } from 'node:http'
import { text } from 'node:stream/consumers'
import Database from 'better-sqlite3'

/**
 * LiteFS starts this app instead of the site in tests of LiteFS itself. It keeps rows of text in the database:
 * GET /rows, POST /rows with the text, GET /position, GET /readyz. It attempts every write and answers how it ended.
 */

const { PORT = '', MEYDAN_DB = '', MEYDAN_LITEFS = '' } = process.env

/** Opened once its table exists, created by the primary or replicated. */
let openedDatabase: Database.Database | null = null
async function openDatabase(): Promise<Database.Database | null> {
  if (openedDatabase) return openedDatabase
  const isPrimary = await hasLease()
  if (!existsSync(MEYDAN_DB) && !isPrimary) return null
  const db = new Database(MEYDAN_DB)
  if (isPrimary) {
    db.pragma('journal_mode = wal')
    db.pragma('synchronous = full')
    db.exec('create table if not exists row (text text not null) strict')
  }
  if (db.prepare("select 1 from sqlite_schema where name = 'row'").get()) openedDatabase = db
  else db.close()
  return openedDatabase
}

async function hasLease(): Promise<boolean> {
  const answer = await fetch(`${MEYDAN_LITEFS}/info`)
  return ((await answer.json()) as { isPrimary: boolean }).isPrimary // as LiteFS's server.go, handleGetInfo, writes it
}

async function handleRequest(request: IncomingMessage): Promise<[status: number, body: unknown]> {
  const db = await openDatabase()
  if (!db) return [503, 'no database yet']
  switch (`${request.method} ${request.url}`) {
    case 'GET /readyz':
      return [200, 'ready']
    case 'GET /rows':
      return [200, db.prepare('select text from row order by rowid').pluck().all()]
    case 'POST /rows':
      db.prepare('insert into row values (?)').run(await text(request))
      return [200, 'written']
    case 'GET /position':
      return [200, readFileSync(`${MEYDAN_DB}-pos`, 'utf8').trim()]
    default:
      return [404, 'no such page']
  }
}

const server = createServer(async (request, response) => {
  const [status, body] = await handleRequest(request).catch((error: Error) => [500, String(error)] as const)
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
})
server.listen(Number(PORT), '127.0.0.1')
process.once('SIGTERM', () => process.exit(0))
