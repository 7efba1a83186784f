import {
  type Compilable,
  type CompiledQuery,
  DummyDriver,
  Kysely,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
} from 'kysely'
import type { Database } from './schema.ts'

/**
 * Keeps SQLite from planning a statement anew at each run, which takes longer than running it: it does so for every value
 * that it has looked at when it planned, as that of a `limit` and those beside an `order by`. It does not look behind a
 * plus sign, which changes nothing; and whole numbers that a query always has stand in its text.
 */
class StablePlanCompiler extends SqliteQueryCompiler {
  protected override appendValue(value: unknown): void {
    if (Number.isSafeInteger(value)) this.append(String(value))
    else super.appendValue(value)
  }

  protected override getCurrentParameterPlaceholder(): string {
    return '+?'
  }
}

/** Builds and types SQL, and never runs it: the doors in read.ts and transact.ts do, synchronously. */
export const queryBuilder = new Kysely<Database>({
  dialect: {
    createAdapter: () => new SqliteAdapter(),
    createDriver: () => new DummyDriver(),
    createIntrospector: (db) => new SqliteIntrospector(db),
    createQueryCompiler: () => new StablePlanCompiler(),
  },
})

/** What SQLite can bind. Flags are 0 or 1, times are integers. */
export type SqlValue = string | number | bigint | Uint8Array | null
export type Params = Record<string, SqlValue>

class Placeholder {
  readonly name: string
  constructor(name: string) {
    this.name = name
  }
}

/** A query compiled once, with the order in which its named parameters are bound. */
export interface Query<P, R> {
  readonly sql: string
  /** Never there at run time: they carry the types. */
  readonly types?: { params: P; row: R }
  bind(params: P): SqlValue[]
}

/**
 * Compiles a query once, at module load. `p('name')` stands where a parameter goes:
 * `query<{ id: UserId }>()((db, p) => db.selectFrom('user').selectAll().where('id', '=', p('id')))`.
 */
export function query<P extends Params = Record<never, never>>() {
  return <R>(
    build: (db: Kysely<Database>, p: <K extends keyof P & string>(name: K) => P[K]) => Compilable<R>,
  ): Query<P, R> => {
    // Kysely hands values through unopened, so a placeholder can stand for one until the query is bound.
    const compiled = build(
      queryBuilder,
      <K extends keyof P & string>(name: K) => new Placeholder(name) as unknown as P[K],
    )
    return fromCompiled<P, R>(compiled.compile())
  }
}

/** A compiled query whose values are all fixed, for migrations and rare work. */
export function fromCompiled<P extends Params, R>(compiled: CompiledQuery<R>): Query<P, R> {
  const slots = compiled.parameters
  return {
    sql: compiled.sql,
    bind: (params) =>
      slots.map((slot) => {
        if (!(slot instanceof Placeholder)) return slot as SqlValue // Kysely's parameters are what was passed in: bindable
        const value = params[slot.name]
        if (value === undefined) throw new Error(`query parameter ${slot.name} is missing`)
        return value
      }),
  }
}
