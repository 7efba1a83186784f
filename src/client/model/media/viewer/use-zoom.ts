import { type RefObject, useEffect, useLayoutEffect, useRef, useState } from 'react'
import type { Size } from '../media-box.ts'
import { type GestureTarget, toggleZoom, ViewerGestures } from './viewer-gestures.ts'
import { fitPicture, type Point, UNZOOMED, type Zoom, zoomAt } from './zoom.ts'

export interface ZoomView {
  zoom: Zoom
  /** How far a whole picture is dragged; null while it is not. */
  drag: Point | null
  /** The size of the whole picture on the stage. */
  fitted: Size
  /** Zooms in at the centre, or out. */
  toggle: () => void
  zoomBy: (factor: number) => void
}

interface ZoomOptions extends Pick<GestureTarget, 'canZoom' | 'onSwipe'> {
  /** Another file starts as a whole. */
  url: string
  /** In pixels of the file. */
  picture: Size
}

const CENTRE: Point = { x: 0, y: 0 }

/** Zooms, pans and swipes the picture on the stage. */
export function useZoom(stage: RefObject<HTMLElement | null>, options: ZoomOptions): ZoomView {
  const { url, picture, canZoom, onSwipe } = options
  const size = useSize(stage)
  const [zoom, setZoom] = useState(UNZOOMED)
  const [drag, setDrag] = useState<Point | null>(null)
  const fitted = fitPicture(picture, size)
  const frame = { stage: size, picture: fitted }
  const present: GestureTarget = { zoom, frame, canZoom, setZoom, setDrag, onSwipe }
  const target = useRef(present)
  useLayoutEffect(() => {
    target.current = present
  })
  // biome-ignore lint/correctness/useExhaustiveDependencies: another file starts as a whole
  useLayoutEffect(() => setZoom(UNZOOMED), [url])
  useEffect(() => {
    if (!stage.current) return
    const listeners = new AbortController()
    new ViewerGestures(stage.current, () => target.current).listen(listeners.signal)
    return () => listeners.abort()
  }, [stage])
  return {
    zoom,
    drag,
    fitted,
    toggle: () => setZoom(toggleZoom(zoom, CENTRE, frame)),
    zoomBy: (factor) => setZoom(zoomAt(zoom, factor, CENTRE, frame)),
  }
}

/** The size of an element, kept while it changes. */
function useSize(element: RefObject<HTMLElement | null>): Size {
  const [size, setSize] = useState<Size>({ width: 0, height: 0 })
  useLayoutEffect(() => {
    const { current } = element
    if (!current) return
    const measure = (): void => setSize({ width: current.clientWidth, height: current.clientHeight })
    measure()
    const observer = new ResizeObserver(measure)
    observer.observe(current)
    return () => observer.disconnect()
  }, [element])
  return size
}
