import type { ReactNode } from 'react'
import './landing-illustration.css'

/** The height of the ground line, in the drawing's own units. */
const GROUND_Y = 352

/**
 * A drawing of a town square in the evening: houses, a clock tower, strings of lamps, people who talk. It is inline SVG,
 * so that it takes the colours of the theme and needs no request. The view box is what is whole on every screen; the street
 * goes on at both sides, and what stands there is shown only where it is whole too (landing-illustration.css).
 */
export function LandingIllustration(): ReactNode {
  return (
    <svg className="scene" viewBox="486 44 468 436" preserveAspectRatio="xMidYMax meet" aria-hidden="true">
      <defs>
        <radialGradient id="scene-light">
          <stop offset="0" />
          <stop offset="1" />
        </radialGradient>
      </defs>
      <path className="scene-moon" d="M880 74a34 34 0 1 0 30 48 28 28 0 0 1-30-48Z" />
      <g id="scene-street">
        <Stars />
        <FarRoofs />
        {houses.map((house) => (
          <House key={house.x} {...house} />
        ))}
      </g>
      <use href="#scene-street" x="-1440" />
      <use href="#scene-street" x="1440" />
      <House x={2034} width={114} height={104} tone="a" roof="gable" windows={['101', '011']} />
      <House x={2156} width={114} height={120} tone="b" roof="bay" windows={['010', '110']} />
      <ClockTower />
      <path className="scene-ground" d="M-2400 356H0q720-26 1440 0h2400v124H-2400Z" />
      <ellipse className="scene-glow" cx="720" cy="428" rx="640" ry="96" />
      <Paving />
      <g className="scene-near">
        <LampString from={[668, 190]} to={[410, 210]} sag={70} />
        <LampString from={[772, 190]} to={[1030, 200]} sag={76} />
        <LampPost x={410} top={206} />
        <LampPost x={1030} top={196} />
        <Figures people={peopleBeside} />
      </g>
      <g className="scene-far-people">
        <Figures people={peopleFar} />
      </g>
      <Figures people={peopleInFront} />
      <SpeechBubble x={500} y={262} width={128} text="Selam Meydan!" />
      <SpeechBubble x={804} y={248} width={112} text="Hoş geldin!" isAnswer />
      <TypingBubble x={672} y={286} />
    </svg>
  )
}

const stars = '60,40 150,96 262,30 340,120 455,52 540,20 628,88 812,36 905,110 980,44 1066,84 1180,28 1262,100 1382,58'

function Stars(): ReactNode {
  return (
    <>
      {stars.split(' ').map((star, index) => {
        const [x, y] = star.split(',')
        return <circle key={star} cx={x} cy={y} r={index % 3 === 0 ? 1.8 : 1.1} />
      })}
    </>
  )
}

/** Domes and slender towers behind the houses. */
function FarRoofs(): ReactNode {
  return (
    <path d="M0 300h70v-40h60v28h46v-66l4-26 4 26v66h26c4-40 34-62 66-64l4-16 4 16c32 2 62 24 66 64h26v-66l4-26 4 26v66h60v-34h70v26h90v-52h60v52h120v-30h80v40h92v-60h54v60h62v-44h86v-30h64v54h96v-40h88v44h74v152H0Z" />
  )
}

interface HouseProps {
  x: number
  width: number
  height: number
  tone: 'a' | 'b' | 'c'
  /** Windows row by row: `1` is lit, `0` is dark. */
  windows: string[]
  roof: 'gable' | 'flat' | 'bay'
}

const houses: HouseProps[] = [
  { x: -14, width: 120, height: 96, tone: 'a', roof: 'gable', windows: ['101', '110'] },
  { x: 110, width: 104, height: 78, tone: 'c', roof: 'flat', windows: ['010', '101'] },
  { x: 218, width: 122, height: 108, tone: 'b', roof: 'gable', windows: ['110', '011'] },
  { x: 346, width: 108, height: 92, tone: 'a', roof: 'bay', windows: ['011', '100'] },
  { x: 460, width: 124, height: 122, tone: 'c', roof: 'gable', windows: ['101', '011', '110'] },
  { x: 836, width: 116, height: 130, tone: 'a', roof: 'bay', windows: ['110', '101', '011'] },
  { x: 958, width: 106, height: 104, tone: 'c', roof: 'flat', windows: ['011', '110'] },
  { x: 1070, width: 126, height: 146, tone: 'b', roof: 'gable', windows: ['101', '110', '011'] },
  { x: 1202, width: 110, height: 112, tone: 'a', roof: 'gable', windows: ['011', '101'] },
  { x: 1318, width: 136, height: 136, tone: 'c', roof: 'bay', windows: ['110', '011', '101'] },
]

function House({ x, width, height, tone, windows, roof }: HouseProps): ReactNode {
  const top = GROUND_Y + 8 - height
  const step = width / 3.4
  return (
    <g className={`scene-house scene-house--${tone}`}>
      <rect x={x} y={top} width={width} height={height} />
      {roof === 'gable' && (
        <path className="scene-roof" d={`M${x - 8} ${top + 2}l${width / 2 + 8}-32 ${width / 2 + 8} 32Z`} />
      )}
      {roof === 'flat' && <rect className="scene-roof" x={x - 5} y={top - 8} width={width + 10} height="10" rx="3" />}
      {roof === 'bay' && (
        <path className="scene-roof" d={`M${x - 8} ${top + 2}q${width / 2 + 8}-44 ${width + 16} 0Z`} />
      )}
      {windows.flatMap((row, line) =>
        [...row].map((light, column) => (
          <path
            key={`${line}-${column}`}
            className={light === '1' ? 'scene-window scene-window--lit' : 'scene-window'}
            d={`M${x + step * (column + 0.45)} ${top + 36 + line * 34}v-12a7 7 0 0 1 14 0v12Z`}
          />
        )),
      )}
    </g>
  )
}

function ClockTower(): ReactNode {
  return (
    <g className="scene-tower">
      <path d="M664 360v-34h112v34ZM676 326V196h88v130ZM668 196v-12h104v12ZM684 184v-54h72v54ZM676 130v-9h88v9Z" />
      <path className="scene-roof" d="M684 121c0-26 16-40 36-46 20 6 36 20 36 46Z" />
      <path d="M718 75v-22h4v22Z" />
      <circle cx="720" cy="157" r="19" />
      <path d="M720 157v-12M720 157l8 5" />
      <path
        className="scene-window scene-window--lit"
        d="M711 262v-22a9 9 0 0 1 18 0v22ZM706 326v-26a14 14 0 0 1 28 0v26Z"
      />
    </g>
  )
}

function Paving(): ReactNode {
  return (
    <g className="scene-paving">
      {[150, 300, 470, 660].map((radius) => (
        <ellipse key={radius} cx="720" cy="436" rx={radius} ry={radius * 0.16} />
      ))}
    </g>
  )
}

type Point = [x: number, y: number]

/** Lamps on a rope that sags by `sag` units. */
function LampString({ from, to, sag }: { from: Point; to: Point; sag: number }): ReactNode {
  const middle: Point = [(from[0] + to[0]) / 2, Math.max(from[1], to[1]) + sag]
  const at = (t: number, axis: 0 | 1): number =>
    Math.round((1 - t) ** 2 * from[axis] + 2 * t * (1 - t) * middle[axis] + t ** 2 * to[axis])
  return (
    <g>
      <path className="scene-rope" d={`M${from[0]} ${from[1]}Q${middle[0]} ${middle[1]} ${to[0]} ${to[1]}`} />
      {[0.1, 0.23, 0.36, 0.5, 0.64, 0.77, 0.9].map((t) => (
        <g key={t}>
          <circle className="scene-glow" cx={at(t, 0)} cy={at(t, 1) + 7} r="24" />
          <circle className="scene-bulb" cx={at(t, 0)} cy={at(t, 1) + 6} r="4" />
        </g>
      ))}
    </g>
  )
}

function LampPost({ x, top }: { x: number; top: number }): ReactNode {
  return (
    <g>
      <circle className="scene-glow" cx={x} cy={top} r="92" />
      <path className="scene-post" d={`M${x - 3} ${top + 12}h6l2 182h-10ZM${x - 14} ${top + 194}h28v6h-28Z`} />
      <path className="scene-bulb" d={`M${x - 9} ${top + 12}l-4-20a13 11 0 0 1 26 0l-4 20Z`} />
    </g>
  )
}

interface FigureProps {
  x: number
  y: number
  size: number
  coat: number
  hair: 'long' | 'short' | 'cap'
}

/** Those within the view box, from the back to the front. */
const peopleInFront: FigureProps[] = [
  { x: 612, y: 376, size: 0.74, coat: 6, hair: 'cap' },
  { x: 812, y: 378, size: 0.76, coat: 3, hair: 'short' },
  { x: 540, y: 416, size: 1.02, coat: 0, hair: 'long' },
  { x: 588, y: 422, size: 1.06, coat: 1, hair: 'short' },
  { x: 696, y: 426, size: 1.08, coat: 2, hair: 'cap' },
  { x: 744, y: 420, size: 1.02, coat: 4, hair: 'long' },
  { x: 868, y: 420, size: 1.04, coat: 7, hair: 'short' },
  { x: 914, y: 424, size: 1.06, coat: 6, hair: 'long' },
]

/** Those beside it, at most 310 units from the middle. */
const peopleBeside: FigureProps[] = [
  { x: 436, y: 380, size: 0.78, coat: 4, hair: 'short' },
  { x: 470, y: 384, size: 0.8, coat: 5, hair: 'long' },
  { x: 980, y: 384, size: 0.8, coat: 0, hair: 'long' },
  { x: 1012, y: 382, size: 0.78, coat: 1, hair: 'short' },
]

/** Those at the ends of the square. */
const peopleFar: FigureProps[] = [
  { x: 250, y: 412, size: 0.96, coat: 2, hair: 'cap' },
  { x: 292, y: 418, size: 1, coat: 7, hair: 'long' },
  { x: 1160, y: 418, size: 1, coat: 5, hair: 'short' },
  { x: 1204, y: 422, size: 1.04, coat: 3, hair: 'cap' },
]

function Figures({ people }: { people: readonly FigureProps[] }): ReactNode {
  return people.map((person) => <Figure key={person.x} {...person} />)
}

const hairs = {
  long: 'M-13-59c0-14 5-20 13-20s13 6 13 20c0 6 1 10 2 14h-30c1-4 2-8 2-14Z',
  short: 'M-11.5-62c-1-12 4-17 11.5-17s12.5 5 11.5 17c-3-2-4-4-5-7-5 2-11 2-14-1-1 3-2 6-4 8Z',
  cap: 'M-12.5-65c0-9 5-15 12.5-15s12.5 6 12.5 15Z',
}

const coatColour = (coat: number): string => `var(--scene-coat-${coat})`

/** A person in the style of the logo; the origin is between the feet. */
function Figure({ x, y, size, coat, hair }: FigureProps): ReactNode {
  return (
    <g className="scene-person" transform={`translate(${x} ${y}) scale(${size})`}>
      <ellipse cx="0" cy="0" rx="20" ry="4" />
      {hair === 'long' && <path className="scene-hair" d={hairs.long} />}
      <path fill={coatColour(coat)} d="M-15 0v-31a15 15 0 0 1 30 0V0Z" />
      <circle cx="0" cy="-61" r="11" />
      <path d="M-4-58.5v.1M4-58.5v.1M-2.5-54.5q2.5 2 5 0" />
      {hair === 'long' ? (
        <path className="scene-hair" d="M-11.5-60c0-12 4-16 11.5-16s11.5 4 11.5 16c-3-2-5-4-6-7-4 3-12 4-17 7Z" />
      ) : hair === 'cap' ? (
        <path fill={coatColour((coat + 3) % 8)} d={hairs[hair]} />
      ) : (
        <path className="scene-hair" d={hairs[hair]} />
      )}
    </g>
  )
}

function SpeechBubble({
  x,
  y,
  width,
  text,
  isAnswer = false,
}: {
  x: number
  y: number
  width: number
  text: string
  isAnswer?: boolean
}): ReactNode {
  return (
    <g className={isAnswer ? 'scene-speech scene-speech--answer' : 'scene-speech'} transform={`translate(${x} ${y})`}>
      <path d={`M16 0h${width - 32}a16 16 0 0 1 0 34H${width / 2 + 8}l-9 10-4-10H16a16 16 0 0 1 0-34Z`} />
      <text x={width / 2} y="22">
        {text}
      </text>
    </g>
  )
}

/** A speech bubble with three dots. */
function TypingBubble({ x, y }: { x: number; y: number }): ReactNode {
  return (
    <g className="scene-speech" transform={`translate(${x} ${y})`}>
      <path d="M14 0h30a14 14 0 0 1 0 28H36l-8 9-4-9H14a14 14 0 0 1 0-28Z" />
      <circle cx="19" cy="14" r="3" />
      <circle cx="29" cy="14" r="3" />
      <circle cx="39" cy="14" r="3" />
    </g>
  )
}
