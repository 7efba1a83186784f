import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import type { CommandName } from '../../shared/protocol/catalogue.ts'
import type { RefusalCode } from '../../shared/protocol/refusals.ts'

/** What a gauge shows is asked for when somebody looks, so that counting costs the hot paths nothing. */
export interface GaugeSources {
  /** Live connections that are open now. */
  connections(): number
  /** Commands that wait for the writer or are under way there. */
  queueLength(): number
  /** Milliseconds behind the primary; null while there is no line to one. */
  lagMs(): number | null
  /** Regions that are linked to this one: all others on the primary, one or none on a replica. */
  links(): number
  /** Answers that wait until this region shows what they tell of. */
  waitingAnswers(): number
}

/** What this process counts, and the page that shows it in Prometheus' text format. */
export interface Metrics {
  /** A live command was answered or refused. Names that nobody knows count as one, whatever a client invents. */
  recordCommand(name: CommandName | 'unknown', outcome: 'ok' | RefusalCode): void
  /** The writer committed `size` commands together in `tookMs` milliseconds. */
  recordCommit(size: number, tookMs: number): void
  /** A page was rendered in `tookMs` milliseconds. */
  recordPageRender(page: string, tookMs: number): void
  /** A command came back from another region, or was lost on its way there and is sent again. */
  recordForwardedCommand(outcome: 'answered' | 'refused' | 'indeterminate'): void
  /** An answer was given although this region could not show what it tells of in time. */
  recordStaleAnswer(): void
  /** An answer was given although no other region had confirmed it in time. */
  recordUnacknowledgedAnswer(): void
  /** What this region had committed as the primary is not in the site any more. */
  recordLostEvents(count: number): void
  /** Sources of the gauges; without them they stay away from the page. */
  registerGauges(watched: GaugeSources): void
  readonly contentType: string
  text(): Promise<string>
}

const COMMIT_SECONDS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1]
const BATCH_SIZES = [1, 2, 4, 8, 16, 32, 64, 128, 256]
const RENDER_SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25]
/** Each look wakes the main thread, asleep or not: a hundred a second were half a percent of a core. */
const EVENT_LOOP_PRECISION_MS = 40

let processMetrics: Registry | null = null

/** Memory, CPU and event-loop delay belong to the process, however many worlds a test opens in it. */
function processRegistry(): Registry {
  if (processMetrics) return processMetrics
  processMetrics = new Registry()
  collectDefaultMetrics({ register: processMetrics, eventLoopMonitoringPrecision: EVENT_LOOP_PRECISION_MS })
  return processMetrics
}

/** A registry of its own for each world. */
export function createMetrics(): Metrics {
  const own = new Registry()
  const registers = [own]
  const commands = new Counter({
    name: 'meydan_commands_total',
    help: 'Live commands by name and outcome: ok, or the code of the refusal.',
    labelNames: ['name', 'outcome'],
    registers,
  })
  const commitTime = new Histogram({
    name: 'meydan_commit_seconds',
    help: 'From begin to the end of commit, one observation a batch.',
    buckets: COMMIT_SECONDS,
    registers,
  })
  const batchSize = new Histogram({
    name: 'meydan_commit_batch_size',
    help: 'Commands that were committed together.',
    buckets: BATCH_SIZES,
    registers,
  })
  const renderTime = new Histogram({
    name: 'meydan_page_render_seconds',
    help: 'Time to load and render a page, by page.',
    labelNames: ['page'],
    buckets: RENDER_SECONDS,
    registers,
  })
  const forwarded = new Counter({
    name: 'meydan_forwarded_commands_total',
    help: 'Commands that went to another region, by what became of them.',
    labelNames: ['outcome'],
    registers,
  })
  const counter = (name: string, help: string) => new Counter({ name, help, registers })
  const behind = counter('meydan_stale_answers_total', 'Answers given before this region could show what they tell of.')
  const unconfirmed = counter(
    'meydan_unacknowledged_answers_total',
    'Answers given before another region had confirmed them.',
  )
  const lost = counter(
    'meydan_events_lost_total',
    'Events that this region had committed as the primary and that were lost.',
  )
  const shown = Registry.merge([processRegistry(), own])

  return {
    recordCommand: (name, outcome) => commands.inc({ name, outcome }),
    recordCommit: (size, tookMs) => {
      batchSize.observe(size)
      commitTime.observe(tookMs / 1000)
    },
    recordPageRender: (page, tookMs) => renderTime.observe({ page }, tookMs / 1000),
    recordForwardedCommand: (outcome) => forwarded.inc({ outcome }),
    recordStaleAnswer: () => behind.inc(),
    recordUnacknowledgedAnswer: () => unconfirmed.inc(),
    recordLostEvents: (count) => lost.inc(count),
    registerGauges: (watched) => {
      for (const gauge of createGauges(watched)) shown.registerMetric(gauge)
    },
    contentType: shown.contentType,
    text: () => shown.metrics(),
  }
}

function createGauges(watched: GaugeSources): Gauge[] {
  const gauge = (name: string, help: string, value: () => number) =>
    new Gauge({
      name,
      help,
      registers: [],
      collect() {
        this.set(value())
      },
    })
  return [
    gauge('meydan_connections', 'Live connections that are open.', watched.connections),
    gauge(
      'meydan_writer_queue_length',
      'Commands that wait for the writer or are under way there.',
      watched.queueLength,
    ),
    gauge(
      'meydan_replication_lag_seconds',
      'How far this region is behind the primary; NaN without a line to it.',
      () => (watched.lagMs() ?? Number.NaN) / 1000,
    ),
    gauge('meydan_links', 'Regions that are linked to this one.', watched.links),
    gauge(
      'meydan_answers_waiting_for_replication',
      'Answers that wait until this region shows what they tell of.',
      watched.waitingAnswers,
    ),
  ]
}
