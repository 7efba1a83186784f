import type { ActionKindSpec } from '../audit/action-kind.ts'

const decisionDetails = { decision: 'Karar', reportCount: 'Bildirim' } as const

export const actionKinds = {
  reportsDecided: { label: 'Bildirimlere karar verdi', details: decisionDetails },
  oldReportsClosed: { label: 'Süresi dolan bildirimleri kapattı', details: decisionDetails },
  reportDecisionUndone: { label: 'Bildirim kararını geri aldı', details: decisionDetails },
  reportRead: { label: 'Bildirimin içeriğine baktı', details: { reportKind: 'Tür' } },
  reportsAssigned: { label: 'Bildirimleri üstlendi', details: { isTakeover: 'Başkasından devraldı' } },
  reportsUnassigned: { label: 'Bildirimleri bıraktı' },
} as const satisfies Record<string, ActionKindSpec>

type OwnActionKinds = typeof actionKinds
declare module '../audit/action-kind.ts' {
  interface ActionKinds extends OwnActionKinds {}
}
