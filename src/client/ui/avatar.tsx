import { type ReactNode, useEffect, useRef, useState } from 'react'
import type { Gender } from '../../shared/accounts/protocol.ts'
import './avatar.css'

/** Whose face it is. */
export interface Face {
  id: number
  gender: Gender | null
  avatarUrl: string | null
  isGuest: boolean
}

interface AvatarProps {
  face: Face
  /** The side in pixels; one of those that avatar.css has, or large-avatar.css. */
  size: 32 | 40 | 48 | 96
}

const TINTS = 8
/** Loading starts when a picture comes this near to what is in view (specification 1, point 9). */
const NEAR = '100px'

/** The class of somebody's own colour. The step of 5 sets people who came one after another far apart. */
export function tintOf(id: number): string {
  return `tint-${(id * 5) % TINTS}`
}

/** The default drawing of a gender (specification 1, point 9). */
export function defaultAvatar(gender: Gender | null): string {
  return `/staticImages/${gender === 'female' || gender === 'male' ? gender : 'default'}.webp`
}

/**
 * Somebody's face: the default drawing on their own colour first, the picture over it once it has loaded. The name
 * stands beside it wherever it is used, so it has none of its own.
 */
export function Avatar({ face, size }: AvatarProps): ReactNode {
  return (
    <span className={`avatar avatar--${size} ${tintOf(face.id)}`}>
      <img src={defaultAvatar(face.gender)} alt="" width={size} height={size} decoding="async" />
      {face.avatarUrl !== null && !face.isGuest && <Picture url={face.avatarUrl} size={size} />}
    </span>
  )
}

/** Shows only once it is whole; one that fails to load leaves the default drawing as it is. */
function Picture({ url, size }: { url: string; size: number }): ReactNode {
  const place = useRef<HTMLImageElement>(null)
  const [isNear, setNear] = useState(false)
  const [isLoaded, setLoaded] = useState(false)

  useEffect(() => {
    if (!place.current) return
    const observer = new IntersectionObserver(
      (entries) => {
        if (entries.some((entry) => entry.isIntersecting)) setNear(true)
      },
      { rootMargin: NEAR },
    )
    observer.observe(place.current)
    return () => observer.disconnect()
  }, [])

  return (
    <img
      ref={place}
      className="avatar-picture"
      {...(isNear && { src: addressOf(url) })}
      data-loaded={isLoaded}
      onLoad={() => setLoaded(true)}
      alt=""
      width={size}
      height={size}
    />
  )
}

function addressOf(url: string): string {
  return /^https?:\/\//.test(url) ? url : `/uploads/${url}`
}
