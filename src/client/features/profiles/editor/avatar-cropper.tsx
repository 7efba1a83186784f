import { type ReactNode, useEffect, useRef, useState } from 'react'
import Cropper from 'react-easy-crop'
import 'react-easy-crop/react-easy-crop.css'
import type { CropArea } from './crop-picture.ts'
import './avatar-cropper.css'

interface AvatarCropperProps {
  url: string
  /** The highest zoom at which enough pixels remain. */
  maxZoom: number
  onCrop: (area: CropArea) => void
  onCancel: () => void
}

const INITIAL_CROP = { x: 0, y: 0 }
/** How far an arrow key moves the picture, in pixels of the screen. */
const KEYBOARD_STEP_PX = 8

/** Crops a square from a picture: moved by pointer or arrow keys, zoomed by wheel, pinch or slider. */
export function AvatarCropper({ url, maxZoom, onCrop, onCancel }: AvatarCropperProps): ReactNode {
  const [crop, setCrop] = useState(INITIAL_CROP)
  const [zoom, setZoom] = useState(1)
  const [area, setArea] = useState<CropArea | null>(null)
  const stage = useRef<HTMLDivElement>(null)
  const isThere = area !== null
  useEffect(() => {
    if (isThere) stage.current?.querySelector<HTMLElement>('[role=application]')?.focus()
  }, [isThere])
  return (
    <div className="stack gap-4">
      <div ref={stage} className="cropper-stage">
        <Cropper
          image={url}
          crop={crop}
          zoom={zoom}
          maxZoom={maxZoom}
          aspect={1}
          cropShape="round"
          showGrid={false}
          keyboardStep={KEYBOARD_STEP_PX}
          onCropChange={setCrop}
          onZoomChange={setZoom}
          onCropAreaChange={(_, pixels) => setArea(pixels)}
          cropperProps={{ role: 'application', 'aria-label': 'Fotoğrafı ok tuşlarıyla taşı' }}
          mediaProps={{ alt: '' }}
          disableAutomaticStylesInjection
        />
      </div>
      <ZoomSlider zoom={zoom} maxZoom={maxZoom} onChange={setZoom} />
      <div className="buttons">
        <button type="button" className="button" onClick={onCancel}>
          Vazgeç
        </button>
        <button type="button" className="button button--accent" onClick={() => area && onCrop(area)}>
          Fotoğrafı kullan
        </button>
      </div>
    </div>
  )
}

interface ZoomSliderProps {
  zoom: number
  maxZoom: number
  onChange: (zoom: number) => void
}

function ZoomSlider({ zoom, maxZoom, onChange }: ZoomSliderProps): ReactNode {
  return (
    <label className="cropper-zoom">
      <span className="field-label">Yakınlaştır</span>
      <input
        type="range"
        min={1}
        max={maxZoom}
        step={0.01}
        value={zoom}
        disabled={maxZoom === 1}
        onChange={({ target }) => onChange(Number(target.value))}
      />
    </label>
  )
}
