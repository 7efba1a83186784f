import type { MiddlewareHandler } from 'hono'
import { NONCE, secureHeaders } from 'hono/secure-headers'

/** The key of the request's nonce among Hono's variables. */
export const NONCE_KEY = 'secureHeadersNonce'

/**
 * Security headers of every answer. Only scripts with the request's nonce run, and modules that they import; inline
 * scripts and uploaded files never do. A handler may set a stricter header.
 */
export function securityHeaders(): MiddlewareHandler {
  const setHeaders = secureHeaders({
    overwrite: false,
    contentSecurityPolicy: {
      defaultSrc: ["'self'"],
      scriptSrc: [NONCE],
      // Libraries insert style elements with the nonce; style attributes are forbidden.
      styleSrc: ["'self'", NONCE],
      imgSrc: ["'self'", 'blob:', 'data:'],
      mediaSrc: ["'self'", 'blob:'],
      // Covers ws: and wss: of the same host.
      connectSrc: ["'self'"],
      objectSrc: ["'none'"],
      baseUri: ["'none'"],
      formAction: ["'self'"],
      frameAncestors: ["'none'"],
    },
    permissionsPolicy: {
      camera: ['self'],
      microphone: ['self'],
      geolocation: [],
      payment: [],
      usb: [],
    },
    referrerPolicy: 'same-origin',
    xFrameOptions: 'DENY',
    strictTransportSecurity: false,
  })
  return async (c, next) => {
    await setHeaders(c, next)
    if (isClaimedHttps(c.req.url, c.req.header('X-Forwarded-Proto'))) {
      c.res.headers.set('Strict-Transport-Security', 'max-age=31536000; includeSubDomains')
    }
  }
}

/** The header is not verified: a forger fools only himself, and browsers ignore HSTS over HTTP (RFC 6797, section 8.1). */
function isClaimedHttps(url: string, forwardedProto: string | undefined): boolean {
  return url.startsWith('https:') || forwardedProto === 'https'
}
