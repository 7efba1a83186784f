import { type ReactNode, useId, useState } from 'react'
import type { Report } from '../../../shared/reports/report.ts'
import { reportTexts } from '../../../shared/reports/screen-texts.ts'
import { REPORT_KIND_LABELS, REPORT_REASON_LABELS } from '../../../shared/reports/texts.ts'
import { messageHash } from '../../../shared/room-chat/message-link.ts'
import { live } from '../../core/live/state.ts'
import { ageText } from '../../core/ui/format/age-text.ts'
import { clockTime, dateText } from '../../core/ui/format/turkish-time.ts'
import { QuotedText } from '../../core/ui/quoted-text.tsx'
import { ReportContentView } from './report-content-view.tsx'
import './report-card.lazy.css'

interface ReportCardProps {
  report: Report
  /** Whether a decision answers it; absent where there is nothing to choose. */
  isSelected?: boolean
  toggle?: () => void
}

/** A report: why, by whom, where, and on demand what it keeps. */
export function ReportCard({ report, isSelected, toggle }: ReportCardProps): ReactNode {
  const { kind, reason, note, createdAt } = report
  const title = `${REPORT_REASON_LABELS[reason]}, ${REPORT_KIND_LABELS[kind]}`
  return (
    <li className="card stack report-card" data-selected={isSelected}>
      <div className="row top">
        {toggle && (
          <label className="report-check">
            <input type="checkbox" aria-label={title} checked={isSelected} onChange={toggle} />
          </label>
        )}
        <p className="stack gap-0 grow">
          <b>{REPORT_REASON_LABELS[reason]}</b>
          <Place report={report} />
        </p>
        <time
          className="fixed faint small tabular"
          dateTime={new Date(createdAt).toISOString()}
          title={`${dateText(createdAt)} ${clockTime(createdAt)}`}
        >
          {ageText(live.serverNow() - createdAt)}
        </time>
      </div>
      {note !== '' && <QuotedText text={note} />}
      <Reporter report={report} />
      <Content report={report} />
    </li>
  )
}

/** What is reported and where; a message of a room is a link. */
function Place({ report: { kind, subject } }: { report: Report }): ReactNode {
  const { roomId, roomName, messageId } = subject
  if (kind !== 'roomMessage' || roomId === null || messageId === null)
    return <span className="soft small">{REPORT_KIND_LABELS[kind]}</span>
  return (
    <span className="soft small">
      {REPORT_KIND_LABELS[kind]} ·{' '}
      <a href={`/room/${roomId}${messageHash(messageId)}`} title={reportTexts.goToMessage}>
        <bdi>#{roomName}</bdi>
      </a>
    </span>
  )
}

function Reporter({ report: { reporter } }: { report: Report }): ReactNode {
  return (
    <p className="report-reporter">
      <span>Bildiren:</span>
      <button type="button" className="link-button" data-person={reporter.username} aria-haspopup="dialog">
        <bdi>{reporter.username}</bdi>
      </button>
      {reporter.isGuest && <span>misafir</span>}
    </p>
  )
}

function Content({ report: { id, hasContent } }: { report: Report }): ReactNode {
  const [isShown, setShown] = useState(false)
  const contentId = useId()
  const hintId = useId()
  if (!hasContent) return <p className="faint small">{reportTexts.contentGone}</p>
  return (
    <>
      <div className="toolbar">
        <button
          type="button"
          className="button"
          aria-expanded={isShown}
          aria-controls={isShown ? contentId : undefined}
          aria-describedby={hintId}
          onClick={() => setShown(!isShown)}
        >
          {isShown ? reportTexts.hide : reportTexts.inspect}
        </button>
        <span id={hintId} className="faint small">
          {reportTexts.inspectHint}
        </span>
      </div>
      {isShown && (
        <div id={contentId} ref={showWhole}>
          <ReportContentView id={id} />
        </div>
      )}
    </>
  )
}

/** Shows what a click has opened below the visible part; its height is reserved while it loads. */
function showWhole(opened: HTMLElement | null): void {
  opened?.scrollIntoView({ block: 'nearest' })
}
