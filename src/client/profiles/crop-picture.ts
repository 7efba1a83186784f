/** Part of a picture, in its own pixels. */
export interface Square {
  x: number
  y: number
  width: number
  height: number
}

/** As large as a face is ever shown (server/profiles/update.ts); more would only be sent. */
const MOST_SIDE = 640
const QUALITY = 0.9

/** Less than this is not cut out of a picture, in its own pixels. */
const LEAST_SIDE = 160
const MOST_ZOOM = 4

/** How far a picture may be made larger. */
export function maxZoomOf({ naturalWidth, naturalHeight }: HTMLImageElement): number {
  return Math.max(1, Math.min(MOST_ZOOM, Math.min(naturalWidth, naturalHeight) / LEAST_SIDE))
}

/** A picture of a file, once it can be drawn. Rejects where the browser cannot read it. */
export async function openPicture(url: string): Promise<HTMLImageElement> {
  const picture = new Image()
  picture.src = url
  await picture.decode()
  return picture
}

/** Draws part of a picture as a file to be sent: WebP, or JPEG from a browser that cannot write that. */
export async function cropPicture(picture: HTMLImageElement, { x, y, width, height }: Square): Promise<Blob> {
  const side = Math.max(1, Math.round(Math.min(MOST_SIDE, width)))
  const canvas = Object.assign(document.createElement('canvas'), { width: side, height: side })
  const context = canvas.getContext('2d')
  if (!context) throw new Error('the browser draws no pictures')
  context.fillStyle = '#fff'
  context.fillRect(0, 0, side, side)
  context.imageSmoothingQuality = 'high'
  context.drawImage(picture, x, y, width, height, 0, 0, side, side)
  const webp = await written(canvas, 'image/webp')
  return webp.type === 'image/webp' ? webp : written(canvas, 'image/jpeg')
}

function written(canvas: HTMLCanvasElement, type: string): Promise<Blob> {
  return new Promise((resolve, reject) => {
    const keep = (blob: Blob | null): void => (blob ? resolve(blob) : reject(new Error('the picture was not written')))
    canvas.toBlob(keep, type, QUALITY)
  })
}
