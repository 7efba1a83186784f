import { Counter, collectDefaultMetrics, Gauge, Histogram, type Metric, Registry } from 'prom-client'
import type { CommandName } from '../../../shared/protocol/catalogue.ts'
import type { RefusalCode } from '../../../shared/protocol/refusals.ts'

/** Gauges read their sources at each scrape, so that they cost nothing between scrapes. */
export interface GaugeSources {
  /** Live connections that are open now. */
  connections(): number
  /** Commands that are queued or running in the writer. */
  queueLength(): number
  /** Milliseconds behind the primary; null without a link to one. */
  lagMs(): number | null
  /** Regions that are linked to this one: all others on the primary, one or none on a replica. */
  links(): number
  /** Answers that wait until this region has replicated their writes. */
  waitingAnswers(): number
}

/** Counters, histograms and gauges of a region, and their text in the Prometheus format. */
export interface Metrics {
  /** A live command was answered or refused. All unknown names count as `unknown`, which bounds the labels. */
  recordCommand(name: CommandName | 'unknown', outcome: 'ok' | RefusalCode): void
  /** The writer committed `size` commands together in `tookMs` milliseconds. */
  recordCommit(size: number, tookMs: number): void
  /** A page was rendered in `tookMs` milliseconds. */
  recordPageRender(page: string, tookMs: number): void
  /** A forwarded command was answered or refused, or its link broke and its outcome is indeterminate. */
  recordForwardedCommand(outcome: 'answered' | 'refused' | 'indeterminate'): void
  /** An answer was sent before this region had replicated its writes, after the time limit. */
  recordStaleAnswer(): void
  /** An answer was sent before a replica had acknowledged its writes, after the time limit. */
  recordUnacknowledgedAnswer(): void
  /** Events that this region committed as the primary were lost in a failover. */
  recordLostEvents(count: number): void
  /** Registers the gauges with their sources. */
  registerGauges(sources: GaugeSources): void
  /** Adds the metrics of a feature, which makes them with `registers: []`. Throws for a name that is registered already. */
  register(metrics: readonly Metric[]): void
  readonly contentType: string
  text(): Promise<string>
}

const COMMIT_SECONDS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1]
const BATCH_SIZES = [1, 2, 4, 8, 16, 32, 64, 128, 256]
const RENDER_SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25]
/** Each sample wakes the main thread: 100 a second cost half a percent of a core. */
const EVENT_LOOP_PRECISION_MS = 40

let processMetrics: Registry | null = null

/** Memory, CPU and event-loop delay belong to the process, which in tests holds several regions. */
function processRegistry(): Registry {
  if (processMetrics) return processMetrics
  processMetrics = new Registry()
  collectDefaultMetrics({ register: processMetrics, eventLoopMonitoringPrecision: EVENT_LOOP_PRECISION_MS })
  return processMetrics
}

/** Creates the metrics of one region, in a registry of its own. */
export function createMetrics(): Metrics {
  const own = new Registry()
  const instruments = createInstruments([own])
  const registry = Registry.merge([processRegistry(), own])
  const register = (metrics: readonly Metric[]) => {
    for (const metric of metrics) registry.registerMetric(metric)
  }
  return {
    recordCommand: (name, outcome) => instruments.commands.inc({ name, outcome }),
    recordCommit: (size, tookMs) => {
      instruments.batchSize.observe(size)
      instruments.commitTime.observe(tookMs / 1000)
    },
    recordPageRender: (page, tookMs) => instruments.renderTime.observe({ page }, tookMs / 1000),
    recordForwardedCommand: (outcome) => instruments.forwardedCommands.inc({ outcome }),
    recordStaleAnswer: () => instruments.staleAnswers.inc(),
    recordUnacknowledgedAnswer: () => instruments.unacknowledgedAnswers.inc(),
    recordLostEvents: (count) => instruments.lostEvents.inc(count),
    registerGauges: (sources) => register(createGauges(sources)),
    register,
    contentType: registry.contentType,
    text: () => registry.metrics(),
  }
}

function createInstruments(registers: Registry[]) {
  const counter = <L extends string = never>(name: string, help: string, labelNames: L[] = []) =>
    new Counter({ name, help, labelNames, registers })
  const histogram = <L extends string = never>(name: string, help: string, buckets: number[], labelNames: L[] = []) =>
    new Histogram({ name, help, buckets, labelNames, registers })
  return {
    commands: counter('meydan_commands_total', 'Live commands by name and outcome: ok, or the code of the refusal.', [
      'name',
      'outcome',
    ]),
    commitTime: histogram(
      'meydan_commit_seconds',
      'From begin to the end of commit, one observation a batch.',
      COMMIT_SECONDS,
    ),
    batchSize: histogram('meydan_commit_batch_size', 'Commands that were committed together.', BATCH_SIZES),
    renderTime: histogram('meydan_page_render_seconds', 'Time to load and render a page, by page.', RENDER_SECONDS, [
      'page',
    ]),
    forwardedCommands: counter(
      'meydan_forwarded_commands_total',
      'Commands that went to another region, by what became of them.',
      ['outcome'],
    ),
    staleAnswers: counter('meydan_stale_answers_total', 'Answers sent before this region had replicated their writes.'),
    unacknowledgedAnswers: counter(
      'meydan_unacknowledged_answers_total',
      'Answers sent before a replica had acknowledged their writes.',
    ),
    lostEvents: counter(
      'meydan_events_lost_total',
      'Events that this region had committed as the primary and that were lost.',
    ),
  }
}

function createGauges(sources: GaugeSources): Gauge[] {
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
    gauge('meydan_connections', 'Live connections that are open.', sources.connections),
    gauge('meydan_writer_queue_length', 'Commands that are queued or running in the writer.', sources.queueLength),
    gauge(
      'meydan_replication_lag_seconds',
      'How far this region is behind the primary; NaN without a link to it.',
      () => (sources.lagMs() ?? Number.NaN) / 1000,
    ),
    gauge('meydan_links', 'Regions that are linked to this one.', sources.links),
    gauge(
      'meydan_answers_waiting_for_replication',
      'Answers that wait until this region has replicated their writes.',
      sources.waitingAnswers,
    ),
  ]
}
