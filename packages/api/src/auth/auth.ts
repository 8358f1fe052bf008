/** Who may call. The service implements it over its data directory. */
export interface Auth {
  /** Name of the session cookie. */
  readonly cookieName: string
  /** Whether it is the token of the token file, compared in constant time. */
  checkToken(token: string): boolean
  /** Whether a cookie's secret belongs to a login that has not expired. */
  checkLogin(secret: string): boolean
  /** Makes a code that one browser can exchange for a cookie once, soon. */
  createLoginCode(): string
  /** Exchanges a code for a login. Null for an unknown, used or expired code. */
  redeemLoginCode(code: string): Promise<{ secret: string; maxAgeSeconds: number } | null>
  /** Forgets a login, so that its cookie opens nothing any more. */
  endLogin(secret: string): Promise<void>
}
