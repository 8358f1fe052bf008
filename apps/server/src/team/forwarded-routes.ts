import type { ForwardedRoute } from "./account-access.ts"

/** Those that take the password of who is signed in, as signing in does. */
export const passwordRoutes: ReadonlySet<ForwardedRoute> = new Set<ForwardedRoute>([
  "POST /change-password",
  "POST /two-factor/enable",
  "POST /two-factor/disable",
  "POST /two-factor/generate-backup-codes",
])

/** Those that take a secret which can be guessed by trying: each try counts against the place it comes from. */
export const guessedRoutes: ReadonlySet<ForwardedRoute> = new Set<ForwardedRoute>([
  ...passwordRoutes,
  "POST /two-factor/verify-totp",
  "POST /two-factor/verify-backup-code",
  "POST /passkey/verify-authentication",
  "GET /device",
  "POST /device/approve",
])

/** Those that take a code of the second step. */
export const codeRoutes: ReadonlySet<ForwardedRoute> = new Set<ForwardedRoute>([
  "POST /two-factor/verify-totp",
  "POST /two-factor/verify-backup-code",
])

/** Those that keep something for whoever asks: they count until it is used, so that strangers fill no table. */
export const keepingRoutes: ReadonlySet<ForwardedRoute> = new Set<ForwardedRoute>([
  "POST /device/code",
  "GET /passkey/generate-authenticate-options",
])

/** Those that use what was kept, and what had kept it. */
export const usingRoutes: ReadonlyMap<ForwardedRoute, ForwardedRoute> = new Map([
  ["POST /device/token", "POST /device/code"],
  ["POST /passkey/verify-authentication", "GET /passkey/generate-authenticate-options"],
])
