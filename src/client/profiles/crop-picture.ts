/** Part of a picture, in its own pixels. */
export interface CropArea {
  x: number
  y: number
  width: number
  height: number
}

/** As large as a face is ever shown (server/profiles/update.ts); more would only be sent. */
const MAX_SIDE_PX = 640
const IMAGE_QUALITY = 0.9

/** Less than this is not cut out of a picture, in its own pixels. */
const MIN_SIDE_PX = 160
const MAX_ZOOM = 4

/** How far a picture may be made larger. */
export function maxZoomOf({ naturalWidth, naturalHeight }: HTMLImageElement): number {
  return Math.max(1, Math.min(MAX_ZOOM, Math.min(naturalWidth, naturalHeight) / MIN_SIDE_PX))
}

/** A picture of a file, once it can be drawn. Rejects where the browser cannot read it. */
export async function decodePicture(url: string): Promise<HTMLImageElement> {
  const picture = new Image()
  picture.src = url
  await picture.decode()
  return picture
}

/** Draws part of a picture as a file to be sent: WebP, or JPEG from a browser that cannot write that. */
export async function cropPicture(picture: HTMLImageElement, { x, y, width, height }: CropArea): Promise<Blob> {
  const side = Math.max(1, Math.round(Math.min(MAX_SIDE_PX, width)))
  const canvas = Object.assign(document.createElement('canvas'), { width: side, height: side })
  const context = canvas.getContext('2d')
  if (!context) throw new Error('the browser draws no pictures')
  context.fillStyle = '#fff'
  context.fillRect(0, 0, side, side)
  context.imageSmoothingQuality = 'high'
  context.drawImage(picture, x, y, width, height, 0, 0, side, side)
  const webp = await encodeCanvas(canvas, 'image/webp')
  return webp.type === 'image/webp' ? webp : encodeCanvas(canvas, 'image/jpeg')
}

function encodeCanvas(canvas: HTMLCanvasElement, type: string): Promise<Blob> {
  return new Promise((resolve, reject) => {
    const keep = (blob: Blob | null): void => (blob ? resolve(blob) : reject(new Error('the picture was not written')))
    canvas.toBlob(keep, type, IMAGE_QUALITY)
  })
}
