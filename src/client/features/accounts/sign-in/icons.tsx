import { icon } from '../../../core/ui/composer-icons.tsx'

/** Icons of the sign-up forms. */
const eye = (
  <>
    <path d="M2.5 12S6 5.5 12 5.5 21.5 12 21.5 12 18 18.5 12 18.5 2.5 12 2.5 12Z" />
    <circle cx="12" cy="12" r="3" />
  </>
)
export const EyeIcon = icon(eye)
export const HiddenIcon = icon(
  <>
    {eye}
    <path d="m4.5 19.5 15-15" />
  </>,
)
