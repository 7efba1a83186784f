import type { ActionKindSpec } from '../audit/action-kind.ts'

const decisionDetails = { decision: 'Karar', reportCount: 'Şikâyet' } as const

export const actionKinds = {
  reportsDecided: { label: 'Şikâyetlere karar verdi', details: decisionDetails },
  oldReportsClosed: { label: 'Süresi dolan şikâyetleri kapattı', details: decisionDetails },
  reportRead: { label: 'Şikâyetin içeriğine baktı', details: { reportKind: 'Tür' } },
  /** Entries of earlier releases. */
  reportDecisionUndone: { label: 'Şikâyet kararını geri aldı', details: decisionDetails },
  reportsAssigned: { label: 'Şikâyetleri üstlendi', details: { isTakeover: 'Başkasından devraldı' } },
  reportsUnassigned: { label: 'Şikâyetleri bıraktı' },
} as const satisfies Record<string, ActionKindSpec>
