import { closeSync, constants, ftruncateSync, openSync, readFileSync, writeSync } from 'node:fs'
import type { Logger } from 'pino'
import { lastUsedSeq } from '../../database/events/events.ts'
import type { Position } from '../../database/position.ts'
import { query } from '../../database/query.ts'
import type { Reader } from '../../database/read.ts'

/** The sequence numbers that this region committed in one term, both ends included. */
interface Term {
  firstSeq: number
  lastSeq: number
}

export interface TermLedgerOptions {
  /** A file of this region's own, outside the LiteFS mount. */
  file: string
  log: Logger
  /** Called once for each loss, with the number of lost events. */
  onEventsLost: (events: number) => void
}

/** Text: two numbers of 16 digits, separated by a space and ended by a newline. */
const RECORD_BYTES = 34
/** Consecutive terms of this region that are kept; beyond this the oldest is dropped. */
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
 * Keeps, outside the database, what this region committed in its terms, because LiteFS drops lost transactions silently.
 * Within a term every number of the log is an event, and every term begins by skipping numbers. So numbers of a term that
 * lie in a gap now, or beyond the end of the log, were lost.
 */
export class TermHistory {
  private readonly options: TermLedgerOptions
  private readonly fd: number
  private terms: Term[]

  constructor(options: TermLedgerOptions) {
    this.options = options
    this.fd = openSync(options.file, constants.O_RDWR | constants.O_CREAT, 0o600)
    this.terms = parseTerms(readFileSync(this.fd, 'latin1'))
  }

  /** This region is the primary from this position on, the answer of `WriterClient.openDatabase`. */
  beginTerm(reader: Reader, position: Position): void {
    this.compareWithLog(reader, position.seq)
    this.terms.push({ firstSeq: position.seq + 1, lastSeq: position.seq })
    if (this.terms.length > MAX_TERMS) this.terms.shift()
    this.rewriteFile()
  }

  /**
   * A batch was committed in this term. Written without a sync: it survives the end of the process, but not a power
   * failure.
   */
  recordCommit({ seq }: Position): void {
    const term = this.terms.at(-1)
    if (!term || seq <= term.lastSeq) return
    term.lastSeq = seq
    this.writeRecord(formatTerm(term), (this.terms.length - 1) * RECORD_BYTES)
  }

  /**
   * Reports lost events once the database shows another region's term. Called at the start, and for each transaction
   * that arrives while another region is the primary; cheap when there is nothing to report.
   */
  reportLostEvents(reader: Reader): void {
    this.compareWithLog(reader, 0)
  }

  close(): void {
    this.terms = []
    closeSync(this.fd)
  }

  private compareWithLog(reader: Reader, ownSkip: number): void {
    const newest = this.terms.at(-1)
    if (!newest) return
    const { lost, isSettled } = reader.snapshot((rows) => ({
      lost: this.terms.map((term) => countLostEvents(rows, term)),
      isSettled: rows.get(gapAfter, { last: newest.lastSeq, own: ownSkip }) !== undefined,
    }))
    const events = lost.reduce((sum, count) => sum + count, 0)
    // Until another region has had a term, events that are here now may still be lost.
    if (events === 0 && !isSettled) return
    if (events > 0) {
      const terms = this.terms.map(({ firstSeq, lastSeq }, index) => ({
        first: firstSeq,
        last: lastSeq,
        lost: lost[index],
      }))
      this.options.log.warn({ events, terms }, 'lost events committed in a former term')
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
      // A full disk must not end the process for this count.
      this.options.log.warn({ err: error }, 'could not record commit position')
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
