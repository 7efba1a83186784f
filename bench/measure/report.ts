import { ratios, type Samples, type Summary, summarise } from './statistics.ts'

export type Goal = { atLeast: number } | { atMost: number }

/** One row of the table. */
export interface Figure {
  what: string
  unit: string
  ours: Summary
  peer?: Summary
  /** Ours divided by the peer's, round by round. */
  ratio?: Summary
  goal?: Goal
  reached?: boolean
}

/** The result of one measurement. */
export interface Report {
  figures: Figure[]
  /** How the figures are made comparable, and what limits that. */
  notes: string[]
}

/** A figure against a peer in the same rounds; the goal is a ratio. */
export function compareFigure(what: string, unit: string, ours: Samples, peer: Samples, goal?: Goal): Figure {
  const ratio = summarise(ratios(ours, peer))
  const figure: Figure = { what, unit, ours: summarise(ours), peer: summarise(peer), ratio }
  return goal ? { ...figure, goal, reached: isReached(ratio.median, goal) } : figure
}

/** A figure without a peer; the goal is in the unit of the figure. */
export function standaloneFigure(what: string, unit: string, ours: Samples, goal?: Goal): Figure {
  const summary = summarise(ours)
  const figure: Figure = { what, unit, ours: summary }
  return goal ? { ...figure, goal, reached: isReached(summary.median, goal) } : figure
}

function isReached(value: number, goal: Goal): boolean {
  return 'atLeast' in goal ? value >= goal.atLeast : value <= goal.atMost
}

/** Formats the reports as a table of text. */
export function toTable(reports: Map<string, Report>): string {
  const lines = [['measurement', 'figure', 'ours', 'peer', 'ratio', 'spread', 'goal', '']]
  for (const [id, report] of reports) {
    for (const figure of report.figures) lines.push(toTableRow(id, figure))
  }
  const widths = lines.reduce<number[]>((most, line) => line.map((cell, i) => Math.max(most[i] ?? 0, cell.length)), [])
  const rule = widths.map((width) => '-'.repeat(width))
  return [lines[0] ?? [], rule, ...lines.slice(1)]
    .map((line) =>
      line
        .map((cell, i) => cell.padEnd(widths[i] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n')
}

function toTableRow(id: string, { what, unit, ours, peer, ratio, goal, reached }: Figure): string[] {
  return [
    id,
    `${what} (${unit})`,
    formatNumber(ours.median),
    peer ? formatNumber(peer.median) : '',
    ratio ? ratio.median.toFixed(2) : '',
    ratio
      ? `${ratio.lowest.toFixed(2)}-${ratio.highest.toFixed(2)}`
      : `${formatNumber(ours.lowest)}-${formatNumber(ours.highest)}`,
    goal ? ('atLeast' in goal ? `>= ${goal.atLeast}` : `<= ${goal.atMost}`) : '',
    reached === undefined ? '' : reached ? 'reached' : 'MISSED',
  ]
}

function formatNumber(value: number): string {
  return value >= 100 ? Math.round(value).toLocaleString('en') : value.toFixed(2)
}
