import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client'
import type { CommandName } from '../../shared/protocol/catalogue.ts'
import type { RefusalCode } from '../../shared/protocol/refusals.ts'

/** What a gauge shows is asked for when somebody looks, so that counting costs the hot paths nothing. */
export interface Watched {
  /** Live connections that are open now. */
  connections(): number
  /** Commands that wait for the writer or are under way there. */
  queueLength(): number
}

/** What this process counts, and the page that shows it in Prometheus' text format. */
export interface Metrics {
  /** A live command was answered or refused. Names that nobody knows count as one, whatever a client invents. */
  commandDone(name: CommandName | 'unknown', outcome: 'ok' | RefusalCode): void
  /** The writer committed `size` commands together in `tookMs` milliseconds. */
  committed(size: number, tookMs: number): void
  /** A page was rendered in `tookMs` milliseconds. */
  pageRendered(page: string, tookMs: number): void
  /** Sources of the gauges; without them they stay away from the page. */
  watch(watched: Watched): void
  readonly contentType: string
  text(): Promise<string>
}

const COMMIT_SECONDS = [0.0005, 0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1]
const BATCH_SIZES = [1, 2, 4, 8, 16, 32, 64, 128, 256]
const RENDER_SECONDS = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25]
const DELAY_PRECISION_MS = 10

let ofProcess: Registry | null = null

/** Memory, CPU and event-loop delay belong to the process, however many worlds a test opens in it. */
function processRegistry(): Registry {
  if (ofProcess) return ofProcess
  ofProcess = new Registry()
  collectDefaultMetrics({ register: ofProcess, eventLoopMonitoringPrecision: DELAY_PRECISION_MS })
  return ofProcess
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
  const shown = Registry.merge([processRegistry(), own])

  return {
    commandDone: (name, outcome) => commands.inc({ name, outcome }),
    committed: (size, tookMs) => {
      batchSize.observe(size)
      commitTime.observe(tookMs / 1000)
    },
    pageRendered: (page, tookMs) => renderTime.observe({ page }, tookMs / 1000),
    watch: (watched) => {
      for (const gauge of gaugesOf(watched)) shown.registerMetric(gauge)
    },
    contentType: shown.contentType,
    text: () => shown.metrics(),
  }
}

function gaugesOf(watched: Watched): Gauge[] {
  return [
    new Gauge({
      name: 'meydan_connections',
      help: 'Live connections that are open.',
      registers: [],
      collect() {
        this.set(watched.connections())
      },
    }),
    new Gauge({
      name: 'meydan_queue_length',
      help: 'Commands that wait for the writer or are under way there.',
      registers: [],
      collect() {
        this.set(watched.queueLength())
      },
    }),
  ]
}
