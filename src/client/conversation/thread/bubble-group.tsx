import { memo, type ReactNode } from 'react'
import { Avatar, tintClass } from '../../ui/avatar.tsx'
import { StarIcon } from '../../ui/icons.tsx'
import { BubbleView } from './bubble.tsx'
import type { BubbleRun } from './timeline.ts'

interface BubbleGroupProps {
  run: BubbleRun
  renderedAt: number
  viewerName: string
}

/** A run of bubbles: the avatar and the name once, then the bubbles. Redrawn only when one of them changes. */
export const BubbleGroup = memo(function BubbleGroup(props: BubbleGroupProps): ReactNode {
  const { run, renderedAt, viewerName } = props
  const { sender, isOwn, bubbles } = run
  return (
    <div className={isOwn ? 'group group--own' : 'group'}>
      {!isOwn && (
        <div className="group-avatar" data-person={sender.username}>
          <Avatar user={sender} size={40} />
        </div>
      )}
      <div className="group-bubbles">
        {!isOwn && (
          <p className={`group-name ${tintClass(sender.id)}`}>
            {/* A press on an element that names a person opens the profile. */}
            <button type="button" className="group-person" data-person={sender.username} aria-haspopup="dialog">
              <bdi>{sender.username}</bdi>
            </button>
            {sender.role === 'rootadmin' && (
              <span className="group-role" role="img" aria-label="Root Admin" title="Root Admin">
                <StarIcon />
              </span>
            )}
          </p>
        )}
        {bubbles.map((bubble, index) => (
          <BubbleView
            key={bubble.key}
            bubble={bubble}
            hasVisibleName={index === 0 && !isOwn}
            isNew={bubble.createdAt > renderedAt}
            viewerName={viewerName}
          />
        ))}
      </div>
    </div>
  )
}, areGroupPropsEqual)

/** Bubbles are immutable: the same object has the same content. */
function areGroupPropsEqual(before: BubbleGroupProps, now: BubbleGroupProps): boolean {
  const { bubbles } = before.run
  return (
    before.renderedAt === now.renderedAt &&
    before.viewerName === now.viewerName &&
    bubbles.length === now.run.bubbles.length &&
    bubbles.every((bubble, index) => bubble === now.run.bubbles[index])
  )
}
