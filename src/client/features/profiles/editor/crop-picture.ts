/** An area of a picture in the picture's pixels. */
export interface CropArea {
  x: number
  y: number
  width: number
  height: number
}

/** The side of a sent avatar: the largest that the server keeps. */
const MAX_SIDE_PX = 640
const IMAGE_QUALITY = 0.9

/** The smallest side of a crop in the picture's pixels. */
const MIN_SIDE_PX = 160
const MAX_ZOOM = 4

/** The highest zoom of a picture. */
export function maxZoomOf({ naturalWidth, naturalHeight }: HTMLImageElement): number {
  return Math.max(1, Math.min(MAX_ZOOM, Math.min(naturalWidth, naturalHeight) / MIN_SIDE_PX))
}

/** Loads and decodes a picture. Rejects when the browser cannot decode it. */
export async function decodePicture(url: string): Promise<HTMLImageElement> {
  const picture = new Image()
  picture.src = url
  await picture.decode()
  return picture
}

/** Encodes an area of a picture as WebP, or as JPEG in browsers that cannot encode WebP. */
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
