import { type MouseEvent, type ReactNode, useState } from 'react'
import { callIdOf } from '../../../shared/calls/call-request-id.ts'
import { callTexts } from '../../../shared/calls/window-texts.ts'
import { conversationTime } from '../../../shared/direct-messages/rules.ts'
import type { Notification } from '../../../shared/notifications/notification.ts'
import { isSiteNotification, tabOf } from '../../../shared/notifications/rules.ts'
import { actionText, sendersText } from '../../../shared/notifications/texts.ts'
import type { MessageId } from '../../../shared/protocol/ids.ts'
import { ACCEPT_FOLLOW_LABEL, REJECT_FOLLOW_LABEL } from '../../../shared/relations/follow-rules.ts'
import { REPORT_TITLES } from '../../../shared/reports/screen-texts.ts'
import { messageHash } from '../../../shared/room-chat/message-link.ts'
import { formatLira } from '../../../shared/wallet/ledger.ts'
import { decisionLabels } from '../../../shared/wallet/requests/texts.ts'
import { live } from '../../core/live/state.ts'
import { openOverlay } from '../../core/shell/overlays/overlays.ts'
import { closePanel } from '../../core/shell/panels/panel-state.ts'
import { toast } from '../../core/shell/toasts/toast.ts'
import { ArrowIcon, CloseIcon, FlagIcon, ShieldIcon } from '../../core/ui/lazy-icons.tsx'
import { Avatar, type AvatarUser } from '../../core/ui/person/avatar.tsx'
import { WIDE_SCREEN_QUERY } from '../../core/ui/use-media-query.ts'
import { callPersonOf } from '../../model/calls/call-person.ts'
import { CallIcon, CameraIcon } from '../../model/calls/icons.tsx'
import { isReportableCall } from '../../model/calls/latest-calls.ts'
import { placeCall } from '../../model/calls/place-call.ts'
import { openCallReport } from '../../model/calls/report-call.ts'
import { openDirectWindow } from '../../model/direct-messages/open-window.ts'
import { openProfile } from '../../model/profiles/open-profile.ts'
import { decideRequest } from '../../model/wallet/decide-request.ts'
import { answerRequest, dismiss, isClearable } from './notification-actions.ts'

/** The notifications of requests about money. */
const requestKinds = { withdrawalRequest: 'withdrawal', starRequest: 'star' } as const

/** A notification, which leads to what it is about. */
export function NotificationRow({ notification }: { notification: Notification }): ReactNode {
  const { type, read, createdAt } = notification
  const excerpt = excerptOf(notification)
  return (
    <li className="notification" data-unread={!read}>
      <Opener notification={notification}>
        {isSiteNotification(type) ? <SiteAvatar /> : <Avatar user={senderOf(notification)} size={40} />}
        <span className="stack gap-half grow break">
          <span>
            <b className="strong semibold">{sendersText(notification)}</b> {actionText(notification)}
          </span>
          {excerpt !== '' && <bdi>{excerpt}</bdi>}
          <time className="faint tiny tabular" dateTime={new Date(createdAt).toISOString()}>
            {conversationTime(createdAt, live.serverNow())}
          </time>
        </span>
        {type === 'mention' && <ArrowIcon size={18} />}
      </Opener>
      {type === 'dmCall' && <ReportCallButton notification={notification} />}
      {type === 'dmCall' && <CallBackButton notification={notification} />}
      {type !== 'dm' && isClearable(tabOf(type)) && (
        <button
          type="button"
          className="icon-button notification-dismiss"
          aria-label={`Bildirimi kaldır: ${sendersText(notification)}`}
          title="Kaldır"
          onClick={() => dismiss(notification)}
        >
          <CloseIcon size={18} />
        </button>
      )}
      {type === 'follow' && <FollowRequestButtons notification={notification} />}
      {isMoneyRequest(type) && !read && <MoneyRequestButtons notification={notification} />}
    </li>
  )
}

/** In place of an avatar: the site itself has sent it. */
function SiteAvatar(): ReactNode {
  return (
    <span className="notification-site">
      <ShieldIcon size={22} />
    </span>
  )
}

/** Answers a missed call with one of its type, which is the notification's content. */
function CallBackButton({ notification }: { notification: Notification }): ReactNode {
  const { content, senderUsername } = notification
  return (
    <button
      type="button"
      className="icon-button"
      aria-label={`${callTexts.callBack}: ${senderUsername}`}
      title={callTexts.callBack}
      onClick={() => void placeCall(callPersonOf(senderOf(notification)), content === 'video' ? 'video' : 'voice')}
    >
      {content === 'video' ? <CameraIcon /> : <CallIcon />}
    </button>
  )
}

/** The text of a mention, or the amount that a request about money is for. */
function excerptOf({ type, content }: Notification): string {
  if (type === 'mention' || type === 'commentMention') return content
  return isMoneyRequest(type) && content !== '' ? formatLira(Number(content)) : ''
}

/** Reports a missed call, while the server knows it. */
function ReportCallButton({ notification }: { notification: Notification }): ReactNode {
  const { requestId, senderUsername: remoteUsername, createdAt } = notification
  if (requestId === null || !isReportableCall(createdAt)) return null
  return (
    <button
      type="button"
      className="icon-button"
      aria-label={`${REPORT_TITLES.call}: ${remoteUsername}`}
      aria-haspopup="dialog"
      title={REPORT_TITLES.call}
      onClick={() => openCallReport({ callId: callIdOf(requestId), remoteUsername })}
    >
      <FlagIcon size={18} />
    </button>
  )
}

function isMoneyRequest(type: Notification['type']): type is keyof typeof requestKinds {
  return type in requestKinds
}

function senderOf(notification: Notification): AvatarUser & { username: string } {
  return {
    id: notification.senderId,
    username: notification.senderUsername,
    gender: notification.senderGender,
    avatarUrl: notification.senderAvatarUrl,
    isGuest: notification.senderIsGuest,
  }
}

/** A link to the message of a mention, a text that leads nowhere, or a button to a conversation, a profile or the post. */
function Opener({ notification, children }: { notification: Notification; children: ReactNode }): ReactNode {
  const { type, roomId, messageId, postId, senderUsername, postOwnerId, postOwnerUsername } = notification
  if (type === 'mention' && roomId !== null && messageId !== null) {
    const open = (event: MouseEvent): void => {
      dismiss(notification)
      if (roomId !== live.roomId || event.ctrlKey || event.metaKey || event.shiftKey) return
      // The room is shown already.
      event.preventDefault()
      void showInThisRoom(messageId)
    }
    return (
      <a className="notification-open" href={`/room/${roomId}${messageHash(messageId)}`} onClick={open}>
        {children}
      </a>
    )
  }
  if (isSiteNotification(type)) return <div className="notification-open">{children}</div>
  const open = (): void => {
    if (type === 'dmCall') void openDirectWindow(senderOf(notification))
    else if (isMoneyRequest(type)) void openOverlay('requestsScreen', { search: senderUsername })
    else if (postId !== null && postOwnerId !== null && postOwnerUsername !== null)
      void openOverlay('post', { postId, owner: { id: postOwnerId, username: postOwnerUsername } })
    else openProfile(senderUsername)
  }
  return (
    <button type="button" className="notification-open" onClick={open}>
      {children}
    </button>
  )
}

async function showInThisRoom(messageId: MessageId): Promise<void> {
  if (!matchMedia(WIDE_SCREEN_QUERY).matches) closePanel()
  const { showRoomMessage } = await import('../../model/room-chat/show-message.ts')
  const failure = await showRoomMessage(messageId)
  if (failure !== null) void toast(failure, 'error')
}

interface AnswerButtonsProps {
  labels: [accept: string, reject: string]
  answer: (isAccepted: boolean) => Promise<unknown>
}

/** Accepts or rejects a request in place. */
function AnswerButtons({ labels: [accept, reject], answer }: AnswerButtonsProps): ReactNode {
  const [isBusy, setBusy] = useState(false)
  const respond = async (isAccepted: boolean): Promise<void> => {
    if (isBusy) return
    setBusy(true)
    await answer(isAccepted)
    setBusy(false)
  }
  return (
    <span className="buttons">
      <button
        type="button"
        className="button button--accent button--compact"
        aria-disabled={isBusy}
        onClick={() => void respond(true)}
      >
        {accept}
      </button>
      <button
        type="button"
        className="button button--compact"
        aria-disabled={isBusy}
        onClick={() => void respond(false)}
      >
        {reject}
      </button>
    </span>
  )
}

function FollowRequestButtons({ notification }: { notification: Notification }): ReactNode {
  return (
    <AnswerButtons
      labels={[ACCEPT_FOLLOW_LABEL, REJECT_FOLLOW_LABEL]}
      answer={(isAccepted) => answerRequest(notification, isAccepted)}
    />
  )
}

/** A root admin decides about money (specification 2, point 4); the notification goes with the event. */
function MoneyRequestButtons({ notification: { type, requestId } }: { notification: Notification }): ReactNode {
  const decide = async (isApproved: boolean): Promise<void> => {
    if (isMoneyRequest(type) && requestId !== null)
      await decideRequest({ kind: requestKinds[type], id: requestId }, isApproved ? 'approved' : 'rejected')
  }
  return <AnswerButtons labels={[decisionLabels.approved, decisionLabels.rejected]} answer={decide} />
}
