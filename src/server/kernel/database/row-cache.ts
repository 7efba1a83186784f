import type { Query } from './query.ts'
import { bindParams, type QueryArgs, type Reader } from './read.ts'

/** Above this number the cache starts over, which costs less than ordering rows by their last use. */
const MAX_ROWS = 20_000

/**
 * Rows that commands read again and again, such as a sender's or a room's. The writer's transaction empties it when
 * anything is written that may change them. Callers must not change the rows.
 */
export class RowCache implements Pick<Reader, 'get'> {
  private readonly reader: Pick<Reader, 'get'>
  private readonly rowsByQuery = new Map<string, Map<unknown, unknown>>()
  private size = 0

  constructor(reader: Pick<Reader, 'get'>) {
    this.reader = reader
  }

  /** Like `get` of the transaction; also remembers that there is no row. */
  get<P, R>(query: Query<P, R>, ...args: QueryArgs<P>): R | undefined {
    const rows = this.rowsOf(query)
    const key = keyOf(query, args)
    const row = rows.get(key) as R | undefined // `store` keeps rows of this query under its text
    return row !== undefined || rows.has(key) ? row : this.store(rows, key, this.reader.get(query, ...args))
  }

  /** Replaces a row, for a command that has just changed it. */
  set<P, R>(query: Query<P, R>, params: P, row: R): void {
    this.store(this.rowsOf(query), keyOf(query, [params] as QueryArgs<P>), row) // only queries with parameters are set
  }

  clear(): void {
    if (this.size === 0) return
    this.rowsByQuery.clear()
    this.size = 0
  }

  private rowsOf<P, R>({ sql }: Query<P, R>): Map<unknown, unknown> {
    const rows = this.rowsByQuery.get(sql) ?? new Map<unknown, unknown>()
    this.rowsByQuery.set(sql, rows)
    return rows
  }

  private store<R>(rows: Map<unknown, unknown>, key: unknown, row: R): R {
    if (!rows.has(key) && ++this.size > MAX_ROWS) {
      this.clear()
      return row
    }
    rows.set(key, row)
    return row
  }
}

function keyOf<P, R>(query: Query<P, R>, args: QueryArgs<P>): unknown {
  const values = bindParams(query, args)
  return values.length === 1 ? values[0] : values.join(' ')
}
