import { type ReactNode, useEffect, useState } from 'react'
import type { UserId } from '../../../../shared/protocol/ids.ts'
import type { Decision, Report, ReportGroup } from '../../../../shared/reports/report.ts'
import { reportTexts } from '../../../../shared/reports/screen-texts.ts'
import { toast } from '../../../core/shell/toasts/toast.ts'
import { useSignalValue } from '../../../core/signals/use-signal-value.ts'
import { queues } from '../queues.ts'
import { decisionText } from './decided-reports.tsx'
import { DecisionDialog } from './decision-dialog.tsx'
import './decision-bar.lazy.css'

interface DecisionBarProps {
  group: ReportGroup
  selected: readonly Report[]
  hasOpen: boolean
  /** The decision that the viewer has just made. */
  made: Decision | null
  onDecided: (decision: Decision) => void
  refresh: () => void
  open: (user: { userId: UserId; username: string }) => void
  leave: () => void
}

/** At the end of the screen, within reach of the thumb: decides, then leads to the next user. */
export function DecisionBar(props: DecisionBarProps): ReactNode {
  const { group, selected, hasOpen, made, onDecided, refresh, open, leave } = props
  // As at the press: another root admin's decision must not change what this one is about.
  const [deciding, setDeciding] = useState<readonly Report[] | null>(null)
  const list = useSignalValue(queues.open.list, null)
  const waitingCount = useSignalValue(queues.open.waitingCount, 0)
  const next = list?.items.find(({ user }) => user.id !== group.user.id)
  // The list is not in view: nothing is under the finger.
  useEffect(() => {
    if (waitingCount > 0) queues.open.showWaiting()
  }, [waitingCount])
  const press = (): void => {
    if (selected.length === 0) void toast(reportTexts.noneSelected, 'info')
    else setDeciding(selected)
  }
  return (
    <div className="decision-bar">
      {made && (
        <p className="good semibold" role="status">
          {decisionText(made)}
        </p>
      )}
      {hasOpen ? (
        <button
          type="button"
          className="button button--accent button--large wide"
          aria-haspopup="dialog"
          onClick={press}
        >
          {reportTexts.decide} ({selected.length})
        </button>
      ) : next ? (
        <button
          type="button"
          className="button button--accent button--large wide"
          onClick={() => open({ userId: next.user.id, username: next.user.username })}
        >
          <span>
            {reportTexts.next}: <bdi>{next.user.username}</bdi>
          </span>
        </button>
      ) : (
        <button type="button" className="button button--large wide" onClick={leave}>
          {reportTexts.backToList}
        </button>
      )}
      {deciding && (
        <DecisionDialog
          group={group}
          reports={deciding}
          isOutdated={deciding.every(({ id }) => !selected.some((report) => report.id === id))}
          onDecided={onDecided}
          onFailed={refresh}
          onClose={() => setDeciding(null)}
        />
      )}
    </div>
  )
}
