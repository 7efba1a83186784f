import { type ReactNode, type RefObject, useEffect, useLayoutEffect, useRef, useState } from 'react'
import type { Gender } from '../../shared/accounts/protocol.ts'
import type { UserId } from '../../shared/protocol/ids.ts'
import './avatar.css'

/** Whose face it is. */
export interface AvatarUser {
  id: UserId
  gender: Gender | null
  avatarUrl: string | null
  isGuest: boolean
}

interface AvatarProps {
  user: AvatarUser
  /** The side in pixels; one of those that avatar.css has, or large-avatar.css. */
  size: 32 | 40 | 48 | 96
}

const TINT_COUNT = 8
/** Loading starts when a picture comes this near to what is in view (specification 1, point 9). */
const LOAD_MARGIN = '100px'

/** The class of somebody's own colour. The step of 5 sets people who came one after another far apart. */
export function tintClass(id: UserId): string {
  return `tint-${(id * 5) % TINT_COUNT}`
}

/** The default drawing of a gender (specification 1, point 9). */
export function defaultAvatarPath(gender: Gender | null): string {
  return `/staticImages/${gender === 'female' || gender === 'male' ? gender : 'default'}.webp`
}

/**
 * Somebody's face: the default drawing on their own colour first, the picture over it once it has loaded. The name
 * stands beside it wherever it is used, so it has none of its own.
 */
export function Avatar({ user, size }: AvatarProps): ReactNode {
  return (
    <span className={`avatar avatar--${size} ${tintClass(user.id)}`}>
      <img src={defaultAvatarPath(user.gender)} alt="" width={size} height={size} decoding="async" />
      {user.avatarUrl !== null && !user.isGuest && <AvatarPicture url={user.avatarUrl} size={size} />}
    </span>
  )
}

/** Pictures that this page has shown: a list that draws one of them again shows it at once. */
const loadedUrls = new Set<string>()

/**
 * Shows only once it is whole, and so does another one that takes its place; one that fails to load leaves the default
 * drawing as it is.
 */
function AvatarPicture({ url, size }: { url: string; size: number }): ReactNode {
  const place = useRef<HTMLImageElement>(null)
  const isNear = useIsNearViewport(place)
  const [whole, setWhole] = useState<string | null>(null)
  const address = avatarUrlOf(url)

  // Not in the first render, which is what the server rendered.
  useLayoutEffect(() => {
    if (loadedUrls.has(address)) setWhole(address)
  }, [address])

  useEffect(() => {
    if (!isNear) return
    const picture = new Image()
    picture.onload = () => {
      loadedUrls.add(address)
      setWhole(address)
    }
    picture.onerror = () => setWhole(null)
    picture.src = address
    return () => {
      picture.onload = picture.onerror = null
    }
  }, [isNear, address])

  return (
    <img
      ref={place}
      className="avatar-picture"
      {...(whole && { src: whole })}
      data-loaded={whole !== null}
      alt=""
      width={size}
      height={size}
    />
  )
}

/** Whether this has come near to what is in view, once it has. */
function useIsNearViewport(place: RefObject<Element | null>): boolean {
  const [isNear, setNear] = useState(false)
  useEffect(() => {
    if (!place.current) return
    const observer = new IntersectionObserver(
      (entries) => {
        if (!entries.some((entry) => entry.isIntersecting)) return
        setNear(true)
        observer.disconnect()
      },
      { rootMargin: LOAD_MARGIN, scrollMargin: LOAD_MARGIN },
    )
    observer.observe(place.current)
    return () => observer.disconnect()
  }, [place])
  return isNear
}

function avatarUrlOf(url: string): string {
  return /^https?:\/\//.test(url) ? url : `/uploads/${url}`
}
