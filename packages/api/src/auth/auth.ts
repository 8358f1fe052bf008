import type { Credentials } from "./credentials.ts"
import type { Identity } from "./identity.ts"

/** Who may call. The service implements it over its data directory, or over its accounts. */
export interface Auth {
  /** Name of the session cookie. */
  readonly cookieName: string
  /**
   * Who sent the request; null for who is not signed in. A wrong token is refused even with a good cookie. Answers at once
   * where it can: every request asks.
   */
  identify(request: Credentials): Identity | null | Promise<Identity | null>
  /** Makes a code that one browser can exchange for a cookie once, soon. */
  createLoginCode(): string
  /** Exchanges a code for a login. Null for an unknown, used or expired code. */
  redeemLoginCode(code: string): Promise<{ secret: string; maxAgeSeconds: number } | null>
  /** Forgets a login, so that its cookie opens nothing any more. */
  endLogin(secret: string): Promise<void>
}
