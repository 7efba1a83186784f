import sharp from 'sharp'

/** A photo as somebody has one on their disk, wider than high, to be given to a file field. */
export async function createTestPhoto(tint = '#7d5ba6') {
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="1200" height="900">
    <rect width="1200" height="900" fill="${tint}"/>
    <circle cx="240" cy="180" r="110" fill="#ffd27d"/>
    <path d="M0 900 400 480l240 240 200-180 360 360Z" fill="#2b2340"/>
    <circle cx="720" cy="400" r="150" fill="#e8b796"/>
    <path d="M430 900c0-190 130-300 290-300s290 110 290 300Z" fill="#c2483f"/>
    <path d="M560 400c0-120 70-190 160-190s160 70 160 190c-40-70-100-110-160-110s-120 40-160 110Z" fill="#3a2417"/>
    <circle cx="670" cy="410" r="13"/><circle cx="770" cy="410" r="13"/>
    <path d="M675 470q45 40 90 0" fill="none" stroke="#000" stroke-width="9" stroke-linecap="round"/>
  </svg>`
  return { name: 'ben.jpg', mimeType: 'image/jpeg', buffer: await sharp(Buffer.from(svg)).jpeg().toBuffer() }
}
