import {
  DOUBLE_TAP_SCALE,
  endSwipe,
  type Frame,
  isBeside,
  lockAxis,
  type Point,
  panBy,
  pinch,
  type SwipeResult,
  UNZOOMED,
  type Zoom,
  zoomAt,
} from './zoom.ts'

const DOUBLE_TAP_MS = 300
/** A press that moves less is a tap. */
const TAP_PX = 8
const WHEEL_FACTOR = 0.002
/** The controls at the bottom of a video. */
const VIDEO_CONTROLS_PX = 72

/** What the gestures read and change. */
export interface GestureTarget {
  zoom: Zoom
  frame: Frame
  /** A video is swiped, not zoomed. */
  canZoom: boolean
  setZoom: (zoom: Zoom) => void
  /** The drag of a whole picture; null while there is none. */
  setDrag: (drag: Point | null) => void
  onSwipe: (result: SwipeResult) => void
}

/** Turns pointers and the wheel over the stage into zooms, pans and swipes. */
export class ViewerGestures {
  private readonly stage: HTMLElement
  private readonly target: () => GestureTarget
  private readonly pointers = new Map<number, Point>()
  /** Where the pointers and the picture were when the present gesture began. */
  private start: { points: readonly Point[]; zoom: Zoom; at: number } | null = null
  private drag: Point | null = null
  private lastTapAt = Number.NEGATIVE_INFINITY

  /** @param target the present state, read at each event */
  constructor(stage: HTMLElement, target: () => GestureTarget) {
    this.stage = stage
    this.target = target
  }

  /** Listens until the signal is aborted. */
  listen(signal: AbortSignal): void {
    const { stage } = this
    stage.addEventListener('pointerdown', (event) => this.onDown(event), { signal })
    stage.addEventListener('pointermove', (event) => this.onMove(event), { signal })
    stage.addEventListener('pointerup', (event) => this.onUp(event), { signal })
    stage.addEventListener('pointercancel', (event) => this.onUp(event), { signal })
    // Not passive: Ctrl and the wheel would zoom the page.
    stage.addEventListener('wheel', (event) => this.onWheel(event), { signal, passive: false })
  }

  private onDown(event: PointerEvent): void {
    if (event.button !== 0 || this.pointers.size === 2 || isControl(event)) return
    this.stage.setPointerCapture(event.pointerId)
    this.pointers.set(event.pointerId, this.pointOf(event))
    this.restart(event.timeStamp)
  }

  private onMove(event: PointerEvent): void {
    if (!this.pointers.has(event.pointerId)) return
    this.pointers.set(event.pointerId, this.pointOf(event))
    this.showDrag(this.follow())
  }

  private onUp(event: PointerEvent): void {
    const { start, drag } = this
    if (!start || !this.pointers.has(event.pointerId)) return
    const isTapOrSwipe = start.points.length === 1 && event.type === 'pointerup'
    this.pointers.delete(event.pointerId)
    this.restart(event.timeStamp)
    if (!isTapOrSwipe) return
    if (drag) this.target().onSwipe(endSwipe(drag, event.timeStamp - start.at))
    else if (isNear(start.points[0], this.pointOf(event))) this.tap(event)
  }

  private tap(event: PointerEvent): void {
    const { zoom, frame, canZoom, setZoom, onSwipe } = this.target()
    const point = this.pointOf(event)
    const isDouble = event.timeStamp - this.lastTapAt < DOUBLE_TAP_MS
    this.lastTapAt = isDouble ? Number.NEGATIVE_INFINITY : event.timeStamp
    if (isBeside(point, zoom, frame)) onSwipe('close')
    else if (isDouble && canZoom) setZoom(toggleZoom(zoom, point, frame))
  }

  private onWheel(event: WheelEvent): void {
    event.preventDefault()
    const { zoom, frame, canZoom, setZoom } = this.target()
    if (canZoom) setZoom(zoomAt(zoom, Math.exp(-event.deltaY * WHEEL_FACTOR), this.pointOf(event), frame))
  }

  /** Returns the drag of a whole picture; zooms and pans a zoomed one, and returns null. */
  private follow(): Point | null {
    const { frame, canZoom, setZoom } = this.target()
    const [from, otherFrom] = this.start?.points ?? []
    const [to, otherTo] = [...this.pointers.values()]
    const before = this.start?.zoom ?? UNZOOMED
    if (!from || !to) return null
    if (otherFrom && otherTo) {
      if (canZoom) setZoom(pinch(before, [from, otherFrom], [to, otherTo], frame))
      return null
    }
    if (before.scale === 1) return isNear(from, to) && !this.drag ? null : lockAxis(to.x - from.x, to.y - from.y)
    setZoom(panBy(before, to.x - from.x, to.y - from.y, frame))
    return null
  }

  private restart(at: number): void {
    this.start = { points: [...this.pointers.values()], zoom: this.target().zoom, at }
    this.showDrag(null)
  }

  private showDrag(drag: Point | null): void {
    this.drag = drag
    this.target().setDrag(drag)
  }

  /** Where an event is, from the centre of the stage. */
  private pointOf({ clientX, clientY }: MouseEvent): Point {
    const { left, top, width, height } = this.stage.getBoundingClientRect()
    return { x: clientX - left - width / 2, y: clientY - top - height / 2 }
  }
}

/** Zooms into a whole picture at the point, and back out of a zoomed one. */
export function toggleZoom(zoom: Zoom, point: Point, frame: Frame): Zoom {
  return zoom.scale > 1 ? UNZOOMED : zoomAt(zoom, DOUBLE_TAP_SCALE, point, frame)
}

function isNear(from: Point | undefined, to: Point): boolean {
  return from !== undefined && Math.hypot(to.x - from.x, to.y - from.y) <= TAP_PX
}

/** Whether a press is for a button, or for the controls of a video. */
function isControl({ target, clientY }: PointerEvent): boolean {
  if (target instanceof HTMLVideoElement) return clientY > target.getBoundingClientRect().bottom - VIDEO_CONTROLS_PX
  return target instanceof Element && target.closest('button, a') !== null
}
