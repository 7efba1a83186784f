import * as real from '../../../../src/client/routes/_error.tsx'

export const { Page, title } = real
