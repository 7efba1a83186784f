import { type ReactNode, useCallback, useState } from 'react'
import { callTypeNames } from '../../../shared/calls/window-texts.ts'
import type { ReportId } from '../../../shared/protocol/ids.ts'
import type { KeptCall, KeptMessage, KeptProfile, ReportContent } from '../../../shared/reports/report.ts'
import { REPORT_NOT_READ } from '../../../shared/reports/screen-texts.ts'
import { clockTime, dateText } from '../../core/ui/format/turkish-time.ts'
import { ListFailure, ListLoading } from '../../core/ui/lists/paged-list.tsx'
import { useLoaded } from '../../core/ui/lists/use-loaded.ts'
import { fetchContent } from './reports-api.ts'
import './report-content.lazy.css'
import type { Media } from '../../../shared/media/media.ts'
import { mediaPreviews } from '../../../shared/media/previews.ts'
import { AudioPlayer } from '../../model/media/audio/audio-player.tsx'

type ShownMedia = Pick<Media, 'mediaType' | 'originalPath' | 'thumbnailPath' | 'width' | 'height'> &
  Partial<Pick<Media, 'durationMs' | 'waveform'>>

/** What a report keeps, with its context. The server records that it was read. */
export function ReportContentView({ id }: { id: ReportId }): ReactNode {
  const [failure, setFailure] = useState(REPORT_NOT_READ)
  const load = useCallback(async () => {
    const content = await fetchContent(id)
    if (content !== null && typeof content === 'object') return content
    if (content !== null) setFailure(content)
    throw new Error(`the content of report ${id} was not read`)
  }, [id])
  const { state, value, reload } = useLoaded(load)
  return (
    <div className="report-content">
      {state === 'loading' && <ListLoading />}
      {state === 'failed' && <ListFailure reason={failure} reload={reload} />}
      {state === 'loaded' && <Content content={value} />}
    </div>
  )
}

function Content({ content }: { content: ReportContent }): ReactNode {
  switch (content.kind) {
    case 'directMessage':
    case 'roomMessage':
      return <Messages messages={content.messages} reportedId={content.messageId} />
    case 'post':
      return <KeptPost content={content} />
    case 'profile':
      return <Profile profile={content.profile} />
    case 'call':
      return <CallFacts call={content.call} />
  }
}

/** The reported message among those around it. */
function Messages({ messages, reportedId }: { messages: readonly KeptMessage[]; reportedId: number }): ReactNode {
  return (
    <ol className="stack gap-half">
      {messages.map(({ id, senderUsername, content, createdAt, media }) => (
        <li key={id} className="stack gap-half report-item" data-reported={id === reportedId}>
          <p className="report-name soft small">
            <bdi>{senderUsername}</bdi>
            <time dateTime={new Date(createdAt).toISOString()}>{clockTime(createdAt)}</time>
            {id === reportedId && <span className="tag tag--danger">Bildirilen</span>}
          </p>
          {content !== '' && <p dir="auto">{content}</p>}
          {media && <KeptMedia media={media} />}
        </li>
      ))}
    </ol>
  )
}

function KeptPost({
  content: { post, owner, comments },
}: {
  content: Extract<ReportContent, { kind: 'post' }>
}): ReactNode {
  const { type, url, mediumUrl, thumbnailUrl, width, height, description, createdAt } = post
  const picture = { thumbnailPath: mediumUrl ?? thumbnailUrl, originalPath: url, width, height, waveform: null }
  return (
    <div className="stack report-item">
      <p className="report-name soft small">
        <bdi>{owner.username}</bdi>
        <time dateTime={new Date(createdAt).toISOString()}>{dateText(createdAt)}</time>
      </p>
      <KeptMedia media={{ ...picture, mediaType: type === 'photo' ? 'image' : 'video' }} />
      {description !== '' && <p dir="auto">{description}</p>}
      {comments.length > 0 && (
        <ul className="stack gap-half">
          {comments.map(({ id, User, content: text }) => (
            <li key={id} className="stack gap-half report-item">
              <p className="report-name soft small">
                <bdi>{User.username}</bdi>
              </p>
              <p dir="auto">{text}</p>
            </li>
          ))}
        </ul>
      )}
    </div>
  )
}

function Profile({ profile }: { profile: KeptProfile }): ReactNode {
  const { username, age, city, bio, avatarUrl, largeAvatarUrl } = profile
  const facts = [age !== null && `${age} yaşında`, city].filter(Boolean).join(' · ')
  const picture = largeAvatarUrl ?? avatarUrl
  return (
    <div className="stack report-item">
      <p className="report-name soft small">
        <bdi>{username}</bdi>
        <span>{facts}</span>
      </p>
      {picture !== null && (
        <KeptMedia
          media={{
            mediaType: 'image',
            originalPath: uploadPath(picture),
            thumbnailPath: uploadPath(avatarUrl ?? picture),
            width: 256,
            height: 256,
          }}
        />
      )}
      {bio !== null && bio !== '' && <p dir="auto">{bio}</p>}
    </div>
  )
}

/** Avatars are addresses or names below `/uploads/`. */
function uploadPath(avatar: string): string {
  return /^(https?:\/)?\//.test(avatar) ? avatar : `/uploads/${avatar}`
}

function CallFacts({
  call: { callType, caller, callee, startedAt, connectedAt, endedAt },
}: {
  call: KeptCall
}): ReactNode {
  const minutes = connectedAt !== null && endedAt !== null ? Math.ceil((endedAt - connectedAt) / 60_000) : null
  return (
    <div className="stack report-item">
      <p>
        {callTypeNames[callType]}: <bdi>{caller.username}</bdi> → <bdi>{callee.username}</bdi>
      </p>
      <p className="faint small">
        {dateText(startedAt)} {clockTime(startedAt)} ·{' '}
        {connectedAt === null ? 'cevaplanmadı' : minutes === null ? 'sürüyordu' : `${minutes} dk`}
      </p>
    </div>
  )
}

/** A kept file. Pictures and videos are covered until they are asked for: they may be hard to look at. */
function KeptMedia({ media }: { media: ShownMedia }): ReactNode {
  const [isShown, setShown] = useState(false)
  const { mediaType, originalPath, thumbnailPath, durationMs = null, waveform = null } = media
  if (mediaType === 'audio')
    return <AudioPlayer url={originalPath} durationMs={durationMs} waveform={waveform} label={mediaPreviews.audio} />
  if (!isShown)
    return (
      <button type="button" onClick={() => setShown(true)}>
        {mediaPreviews[mediaType]} · Göster
      </button>
    )
  if (mediaType === 'video')
    return (
      // biome-ignore lint/a11y/useMediaCaption: nobody writes captions for a message or a post
      <video controls preload="none" src={originalPath} poster={thumbnailPath ?? undefined} />
    )
  return (
    <a href={originalPath} target="_blank" rel="noreferrer">
      <img src={thumbnailPath ?? originalPath} alt={mediaPreviews.image} />
    </a>
  )
}
