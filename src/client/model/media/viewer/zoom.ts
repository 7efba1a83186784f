import type { Size } from '../media-box.ts'

// The geometry of the viewer. Points are in pixels from the centre of the stage.

export interface Point {
  x: number
  y: number
}

/** How a picture is shown: its scale, and how far its centre is from that of the stage. */
export interface Zoom extends Point {
  /** 1: the whole picture is visible. */
  scale: number
}

/** The room for the picture, and the picture's size at scale 1. */
export interface Frame {
  stage: Size
  picture: Size
}

export type SwipeResult = 'previous' | 'next' | 'close' | 'stay'

export const UNZOOMED: Zoom = { scale: 1, x: 0, y: 0 }
export const DOUBLE_TAP_SCALE = 2.5
const MAX_SCALE = 6
/** Small pictures grow to at most this. */
const MAX_FITTED_SCALE = 2
/** A swipe counts from here, or when it is this fast. */
const SWIPE_PX = 90
const SWIPE_PX_PER_MS = 0.5
const MIN_FAST_SWIPE_PX = 24

/** The size of the whole picture on the stage. */
export function fitPicture({ width, height }: Size, stage: Size): Size {
  const scale = Math.max(0, Math.min(stage.width / width, stage.height / height, MAX_FITTED_SCALE))
  return { width: width * scale, height: height * scale }
}

/** The nearest allowed zoom: no edge of a zoomed picture comes further in than that of the stage. */
export function boundZoom({ scale, x, y }: Zoom, { stage, picture }: Frame): Zoom {
  const bounded = clamp(scale, 1, MAX_SCALE)
  const maxX = Math.max(0, (picture.width * bounded - stage.width) / 2)
  const maxY = Math.max(0, (picture.height * bounded - stage.height) / 2)
  return { scale: bounded, x: clamp(x, -maxX, maxX), y: clamp(y, -maxY, maxY) }
}

/** Scales by a factor around a point, within the bounds. */
export function zoomAt(zoom: Zoom, factor: number, point: Point, frame: Frame): Zoom {
  const scale = clamp(zoom.scale * factor, 1, MAX_SCALE)
  const ratio = scale / zoom.scale
  return boundZoom({ scale, x: point.x - (point.x - zoom.x) * ratio, y: point.y - (point.y - zoom.y) * ratio }, frame)
}

export function panBy(zoom: Zoom, dx: number, dy: number, frame: Frame): Zoom {
  return boundZoom({ ...zoom, x: zoom.x + dx, y: zoom.y + dy }, frame)
}

/** Two fingers have moved since `zoom`: their distance scales, their middle pans. */
export function pinch(zoom: Zoom, from: readonly [Point, Point], to: readonly [Point, Point], frame: Frame): Zoom {
  const [start, now] = [middle(from), middle(to)]
  const factor = distance(to) / Math.max(1, distance(from))
  const scaled = zoomAt(zoom, factor, start, frame)
  return panBy(scaled, now.x - start.x, now.y - start.y, frame)
}

/** The axis that a drag of a whole picture follows: sideways to its neighbours, or down to close. */
export function lockAxis(dx: number, dy: number): Point {
  return Math.abs(dx) > Math.abs(dy) ? { x: dx, y: 0 } : { x: 0, y: Math.max(0, dy) }
}

/** What a drag along one axis does when it ends. */
export function endSwipe({ x, y }: Point, elapsedMs: number): SwipeResult {
  const length = Math.abs(x) + y
  const isFast = length >= MIN_FAST_SWIPE_PX && length / Math.max(1, elapsedMs) >= SWIPE_PX_PER_MS
  if (length < SWIPE_PX && !isFast) return 'stay'
  if (y > 0) return 'close'
  return x > 0 ? 'previous' : 'next'
}

/** Whether a point is beside the picture. */
export function isBeside({ x, y }: Point, zoom: Zoom, { picture }: Frame): boolean {
  const isWithin = (offset: number, length: number): boolean => Math.abs(offset) <= (length * zoom.scale) / 2
  return !isWithin(x - zoom.x, picture.width) || !isWithin(y - zoom.y, picture.height)
}

function middle([a, b]: readonly [Point, Point]): Point {
  return { x: (a.x + b.x) / 2, y: (a.y + b.y) / 2 }
}

function distance([a, b]: readonly [Point, Point]): number {
  return Math.hypot(a.x - b.x, a.y - b.y)
}

function clamp(value: number, min: number, max: number): number {
  return Math.min(max, Math.max(min, value))
}
