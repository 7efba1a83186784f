import * as real from '../../../../src/client/routes/_404.tsx'

export const { Page, title } = real
