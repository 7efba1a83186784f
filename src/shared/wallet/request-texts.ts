import type { RequestKind } from './request.ts'

export const requestKindLabels: Record<RequestKind, string> = { withdrawal: 'Ödeme', star: 'Yükleme' }
