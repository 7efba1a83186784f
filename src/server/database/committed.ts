import { closeSync, constants, ftruncateSync, openSync, readFileSync, writeSync } from 'node:fs'
import type { Logger } from 'pino'
import type { Position } from '../regions/position.ts'
import { lastUsedSeq } from './events.ts'
import { query } from './query.ts'
import type { Reader } from './read.ts'

/** The numbers of the log that this region committed during one time of being primary, both ends included. */
interface Reign {
  first: number
  last: number
}

export interface ReignsOptions {
  /** A file of this region's own, outside the LiteFS mount. */
  file: string
  log: Logger
  /** So many events were lost: once for each loss. */
  onLost: (events: number) => void
}

/** As text: two numbers of 16 digits, a space and a line's end. */
const LINE_BYTES = 34
/** More reigns than this in a row, with no other region's between them, and the oldest is forgotten. */
const KEPT_REIGNS = 100

const gapsOver = query<{ first: number; last: number }>()((db, p) =>
  db
    .selectFrom('eventGap')
    .select(['fromSeq', 'toSeq'])
    .where('toSeq', '>=', p('first'))
    .where('fromSeq', '<=', p('last')),
)
const gapBeyond = query<{ last: number; own: number }>()((db, p) =>
  db.selectFrom('eventGap').select('toSeq').where('toSeq', '>', p('last')).where('toSeq', '!=', p('own')).limit(1),
)

/**
 * Remembers, outside the database, how far this region had committed while it was the primary: what a crash takes away
 * LiteFS takes away in silence. Within a reign every number of the log is an event, and every reign begins with a leap,
 * so whatever of a reign lies in a gap now, or beyond the end of the log, was lost.
 */
export class Reigns {
  private readonly options: ReignsOptions
  private readonly fd: number
  private reigns: Reign[]

  constructor(options: ReignsOptions) {
    this.options = options
    this.fd = openSync(options.file, constants.O_RDWR | constants.O_CREAT, 0o600)
    this.reigns = parse(readFileSync(this.fd, 'latin1'))
  }

  /** This region is the primary from this position on, which `WriteDoor.open` answered. */
  begin(reader: Reader, position: Position): void {
    this.judge(reader, position.seq)
    this.reigns.push({ first: position.seq + 1, last: position.seq })
    if (this.reigns.length > KEPT_REIGNS) this.reigns.shift()
    this.noteAll()
  }

  /**
   * A batch was committed in this reign. Noted without waiting for the disk: it survives the end of the process, if
   * not of the machine's power.
   */
  committed({ seq }: Position): void {
    const reign = this.reigns.at(-1)
    if (!reign || seq <= reign.last) return
    reign.last = seq
    this.note(line(reign), (this.reigns.length - 1) * LINE_BYTES)
  }

  /**
   * Tells what was lost, once the database shows another region's reign: to be called at the start, and whenever
   * something arrives while another region is the primary. Costs nothing when there is nothing to tell.
   */
  check(reader: Reader): void {
    this.judge(reader, 0)
  }

  close(): void {
    this.reigns = []
    closeSync(this.fd)
  }

  private judge(reader: Reader, ownLeap: number): void {
    const newest = this.reigns.at(-1)
    if (!newest) return
    const { lost, isSettled } = reader.snapshot((rows) => ({
      lost: this.reigns.map((reign) => lostOf(rows, reign)),
      isSettled: rows.get(gapBeyond, { last: newest.last, own: ownLeap }) !== undefined,
    }))
    const events = lost.reduce((sum, count) => sum + count, 0)
    // Until another region has reigned, what is here now may still be taken away.
    if (events === 0 && !isSettled) return
    if (events > 0) {
      const reigns = this.reigns.map(({ first, last }, index) => ({ first, last, lost: lost[index] }))
      this.options.log.warn({ events, reigns }, 'events were lost that this region had committed as the primary')
      this.options.onLost(events)
    }
    this.reigns = []
    this.noteAll()
  }

  private noteAll(): void {
    ftruncateSync(this.fd, 0)
    this.note(this.reigns.map(line).join(''), 0)
  }

  private note(text: string, at: number): void {
    try {
      writeSync(this.fd, text, at, 'latin1')
    } catch (error) {
      // A full disk must not end the site for the sake of this count.
      this.options.log.warn({ err: error }, 'how far this region has committed could not be noted')
    }
  }
}

function lostOf(reader: Reader, { first, last }: Reign): number {
  if (last < first) return 0
  const beyond = last - Math.max(lastUsedSeq(reader), first - 1)
  const inGaps = reader
    .all(gapsOver, { first, last })
    .map((gap) => Math.min(gap.toSeq, last) - Math.max(gap.fromSeq, first) + 1)
  return inGaps.reduce((sum, count) => sum + count, Math.max(0, beyond))
}

function line({ first, last }: Reign): string {
  return `${String(first).padStart(16, '0')} ${String(last).padStart(16, '0')}\n`
}

function parse(text: string): Reign[] {
  return [...text.matchAll(/^(\d{16}) (\d{16})$/gm)].map(([, first, last]) => ({
    first: Number(first),
    last: Number(last),
  }))
}
