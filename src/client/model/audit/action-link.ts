import type { Action } from '../../../shared/audit/protocol.ts'

/** Leads from an entry to what it was about. */
export interface ActionLink {
  /** Turkish, on the button: 'Mesajı göster'. */
  label: string
  /** False where this entry does not know enough to lead there. */
  isAvailable?(action: Action): boolean
  open(action: Action): void
}

/** Links by the type of the subject. */
export type ActionLinks = Readonly<Record<string, ActionLink>>

let links: ActionLinks = {}

/** Set by the page: the links of all features. */
export function setActionLinks(all: ActionLinks): void {
  links = all
}

/** The link of an entry; null where there is none. */
export function linkOf(action: Action): ActionLink | null {
  const link = action.subject ? links[action.subject.type] : undefined
  return link && (link.isAvailable?.(action) ?? true) ? link : null
}
