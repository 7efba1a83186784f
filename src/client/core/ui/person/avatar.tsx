import { type ReactNode, type RefObject, useEffect, useLayoutEffect, useRef, useState } from 'react'
import type { Gender } from '../../../../shared/accounts/protocol.ts'
import type { UserId } from '../../../../shared/protocol/ids.ts'
import './avatar.css'

/** The user of an avatar. */
export interface AvatarUser {
  id: UserId
  gender: Gender | null
  avatarUrl: string | null
  isGuest: boolean
}

interface AvatarProps {
  user: AvatarUser
  /** The side in pixels; avatar.css and large-avatar.css have a class for each. */
  size: 32 | 40 | 48 | 96 | 128
}

const TINT_COUNT = 8
/** A picture loads within this distance of the viewport (specification 1, point 9). */
const LOAD_MARGIN = '100px'

/** The class of a user's colour. The factor 5 gives users with successive ids different colours. */
export function tintClass(id: UserId): string {
  return `tint-${(id * 5) % TINT_COUNT}`
}

/** The path of a gender's default avatar (specification 1, point 9). */
export function defaultAvatarPath(gender: Gender | null): string {
  return `/staticImages/${gender === 'female' || gender === 'male' ? gender : 'default'}.webp`
}

/**
 * A user's avatar: the default one on the user's colour first, the picture above it once it has loaded. It has no
 * accessible name, as the user's name is always beside it.
 */
export function Avatar({ user, size }: AvatarProps): ReactNode {
  return (
    <span className={`avatar avatar--${size} ${tintClass(user.id)}`}>
      <img src={defaultAvatarPath(user.gender)} alt="" width={size} height={size} decoding="async" />
      {user.avatarUrl !== null && !user.isGuest && <AvatarPicture url={user.avatarUrl} size={size} />}
    </span>
  )
}

/** Pictures that have loaded on this page; they are shown at once when drawn again. */
const loadedUrls = new Set<string>()

/**
 * Shows a picture only when it is complete, also when it replaces another one; after a failed load the default avatar
 * stays.
 */
function AvatarPicture({ url, size }: { url: string; size: number }): ReactNode {
  const image = useRef<HTMLImageElement>(null)
  const isNear = useIsNearViewport(image)
  const [shownUrl, setShownUrl] = useState<string | null>(null)
  const address = avatarUrlOf(url)

  // In an effect: the first render must equal the server's.
  useLayoutEffect(() => {
    if (loadedUrls.has(address)) setShownUrl(address)
  }, [address])

  useEffect(() => {
    if (!isNear) return
    const picture = new Image()
    picture.onload = () => {
      loadedUrls.add(address)
      setShownUrl(address)
    }
    picture.onerror = () => setShownUrl(null)
    picture.src = address
    return () => {
      picture.onload = picture.onerror = null
    }
  }, [isNear, address])

  return (
    <img
      ref={image}
      className="avatar-picture"
      {...(shownUrl && { src: shownUrl })}
      data-loaded={shownUrl !== null}
      alt=""
      width={size}
      height={size}
    />
  )
}

/** Whether the element has been within `LOAD_MARGIN` of the viewport; stays true. */
function useIsNearViewport(element: RefObject<Element | null>): boolean {
  const [isNear, setNear] = useState(false)
  useEffect(() => {
    if (!element.current) return
    const observer = new IntersectionObserver(
      (entries) => {
        if (!entries.some((entry) => entry.isIntersecting)) return
        setNear(true)
        observer.disconnect()
      },
      { rootMargin: LOAD_MARGIN, scrollMargin: LOAD_MARGIN },
    )
    observer.observe(element.current)
    return () => observer.disconnect()
  }, [element])
  return isNear
}

function avatarUrlOf(url: string): string {
  return /^https?:\/\//.test(url) ? url : `/uploads/${url}`
}
