import { closeSync, constants, ftruncateSync, openSync, readFileSync, writeSync } from 'node:fs'
import type { Logger } from 'pino'
import { lastUsedSeq } from '../../database/events.ts'
import { query } from '../../database/query.ts'
import type { Reader } from '../../database/read.ts'
import type { Position } from './position.ts'

/** The numbers of the log that this region committed during one time of being primary, both ends included. */
interface Term {
  firstSeq: number
  lastSeq: number
}

export interface TermLedgerOptions {
  /** A file of this region's own, outside the LiteFS mount. */
  file: string
  log: Logger
  /** So many events were lost: once for each loss. */
  onEventsLost: (events: number) => void
}

/** As text: two numbers of 16 digits, a space and a line's end. */
const RECORD_BYTES = 34
/** More reigns than this in a row, with no other region's between them, and the oldest is forgotten. */
const MAX_TERMS = 100

const gapsOverlapping = query<{ first: number; last: number }>()((db, p) =>
  db
    .selectFrom('eventGap')
    .select(['fromSeq', 'toSeq'])
    .where('toSeq', '>=', p('first'))
    .where('fromSeq', '<=', p('last')),
)
const gapAfter = query<{ last: number; own: number }>()((db, p) =>
  db.selectFrom('eventGap').select('toSeq').where('toSeq', '>', p('last')).where('toSeq', '!=', p('own')).limit(1),
)

/**
 * Remembers, outside the database, how far this region had committed while it was the primary: what a crash takes away
 * LiteFS takes away in silence. Within a reign every number of the log is an event, and every reign begins with a leap,
 * so whatever of a reign lies in a gap now, or beyond the end of the log, was lost.
 */
export class TermLedger {
  private readonly options: TermLedgerOptions
  private readonly fd: number
  private terms: Term[]

  constructor(options: TermLedgerOptions) {
    this.options = options
    this.fd = openSync(options.file, constants.O_RDWR | constants.O_CREAT, 0o600)
    this.terms = parseTerms(readFileSync(this.fd, 'latin1'))
  }

  /** This region is the primary from this position on, which `WriteDoor.open` answered. */
  beginTerm(reader: Reader, position: Position): void {
    this.compareWithLog(reader, position.seq)
    this.terms.push({ firstSeq: position.seq + 1, lastSeq: position.seq })
    if (this.terms.length > MAX_TERMS) this.terms.shift()
    this.rewriteFile()
  }

  /**
   * A batch was committed in this reign. Noted without waiting for the disk: it survives the end of the process, if
   * not of the machine's power.
   */
  recordCommit({ seq }: Position): void {
    const reign = this.terms.at(-1)
    if (!reign || seq <= reign.lastSeq) return
    reign.lastSeq = seq
    this.writeRecord(formatTerm(reign), (this.terms.length - 1) * RECORD_BYTES)
  }

  /**
   * Tells what was lost, once the database shows another region's reign: to be called at the start, and whenever
   * something arrives while another region is the primary. Costs nothing when there is nothing to tell.
   */
  reportLostEvents(reader: Reader): void {
    this.compareWithLog(reader, 0)
  }

  close(): void {
    this.terms = []
    closeSync(this.fd)
  }

  private compareWithLog(reader: Reader, ownLeap: number): void {
    const newest = this.terms.at(-1)
    if (!newest) return
    const { lost, isSettled } = reader.snapshot((rows) => ({
      lost: this.terms.map((reign) => countLostEvents(rows, reign)),
      isSettled: rows.get(gapAfter, { last: newest.lastSeq, own: ownLeap }) !== undefined,
    }))
    const events = lost.reduce((sum, count) => sum + count, 0)
    // Until another region has reigned, what is here now may still be taken away.
    if (events === 0 && !isSettled) return
    if (events > 0) {
      const reigns = this.terms.map(({ firstSeq, lastSeq }, index) => ({
        first: firstSeq,
        last: lastSeq,
        lost: lost[index],
      }))
      this.options.log.warn({ events, reigns }, 'events were lost that this region had committed as the primary')
      this.options.onEventsLost(events)
    }
    this.terms = []
    this.rewriteFile()
  }

  private rewriteFile(): void {
    ftruncateSync(this.fd, 0)
    this.writeRecord(this.terms.map(formatTerm).join(''), 0)
  }

  private writeRecord(text: string, at: number): void {
    try {
      writeSync(this.fd, text, at, 'latin1')
    } catch (error) {
      // A full disk must not end the site for the sake of this count.
      this.options.log.warn({ err: error }, 'how far this region has committed could not be noted')
    }
  }
}

function countLostEvents(reader: Reader, { firstSeq, lastSeq }: Term): number {
  if (lastSeq < firstSeq) return 0
  const beyond = lastSeq - Math.max(lastUsedSeq(reader), firstSeq - 1)
  const inGaps = reader
    .all(gapsOverlapping, { first: firstSeq, last: lastSeq })
    .map((gap) => Math.min(gap.toSeq, lastSeq) - Math.max(gap.fromSeq, firstSeq) + 1)
  return inGaps.reduce((sum, count) => sum + count, Math.max(0, beyond))
}

function formatTerm({ firstSeq, lastSeq }: Term): string {
  return `${String(firstSeq).padStart(16, '0')} ${String(lastSeq).padStart(16, '0')}\n`
}

function parseTerms(text: string): Term[] {
  return [...text.matchAll(/^(\d{16}) (\d{16})$/gm)].map(([, first, last]) => ({
    firstSeq: Number(first),
    lastSeq: Number(last),
  }))
}
