import { icon } from '../ui/icons.tsx'

export const StatementIcon = icon(<path d="M6 3.5h12v17l-3-2-3 2-3-2-3 2ZM9.5 8.5h5M9.5 12.5h5" />)
