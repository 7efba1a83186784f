import type { MiddlewareHandler } from 'hono'
import { NONCE, secureHeaders } from 'hono/secure-headers'

/** The key of the request's nonce among Hono's variables. */
export const NONCE_KEY = 'secureHeadersNonce'

/**
 * The policy of every answer. A script runs only with the request's nonce, and so do the modules that it imports;
 * there is no inline script, and no file of ours, nor one that somebody uploaded, can be run as one.
 * A handler may set a stricter header of its own.
 */
export function securityHeaders(): MiddlewareHandler {
  const always = secureHeaders({
    overwrite: false,
    contentSecurityPolicy: {
      defaultSrc: ["'self'"],
      scriptSrc: [NONCE],
      // The nonce is for the style elements of libraries; style attributes stay forbidden.
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
    await always(c, next)
    if (isClaimedHttps(c.req.url, c.req.header('X-Forwarded-Proto'))) {
      c.res.headers.set('Strict-Transport-Security', 'max-age=31536000; includeSubDomains')
    }
  }
}

/** A forged header only reaches its forger, and over plain HTTP browsers ignore the answer (RFC 6797, section 8.1). */
function isClaimedHttps(url: string, forwardedProto: string | undefined): boolean {
  return url.startsWith('https:') || forwardedProto === 'https'
}
