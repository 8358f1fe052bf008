import type { Credentials } from "./credentials.ts"
import type { Identity } from "./identity.ts"

/** Who may call. The service implements it with its data directory or with its accounts. */
export interface Auth {
  /** Name of the session cookie. */
  readonly cookieName: string
  /**
   * The sender of the request; null when nobody is signed in. A wrong token is refused even with a good cookie. Every
   * request asks this, so the answer comes without a promise where it can.
   */
  identify(request: Credentials): Identity | null | Promise<Identity | null>
  /** Makes a code that one browser can exchange for a cookie, once and for a short time. */
  createLoginCode(): string | Promise<string>
  /** Exchanges a code for a login. Null for an unknown, used or expired code. */
  redeemLoginCode(code: string): Promise<{ secret: string; maxAgeSeconds: number } | null>
  /** Ends a login: its cookie no longer opens anything. */
  endLogin(secret: string): Promise<void>
}
