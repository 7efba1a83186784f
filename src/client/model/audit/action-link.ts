import type { Action } from '../../../shared/audit/protocol.ts'

/** Leads from an entry to what it was about. */
export interface ActionLink {
  /** Turkish, on the button: 'Mesajı göster'. */
  label: string
  /** False where this entry does not know enough to lead there. */
  isAvailable?(action: Action): boolean
  open(action: Action): void
}

/** A feature's links by the type of the subject. Its `action-links.ts` exports them as `actionLinks`. */
export type ActionLinks = Readonly<Record<string, ActionLink>>

const links: ActionLinks = Object.assign(
  {},
  ...Object.values(
    import.meta.glob<ActionLinks>('../../{core,model,features,page}/*/action-links.ts', {
      eager: true,
      import: 'actionLinks',
    }),
  ),
)

/** The link of an entry; null where there is none. */
export function linkOf(action: Action): ActionLink | null {
  const link = action.subject ? links[action.subject.type] : undefined
  return link && (link.isAvailable?.(action) ?? true) ? link : null
}
