import type { ForwardedRoute } from "./account-access.ts"

/** Routes that need the password of the signed-in user. */
export const passwordRoutes: ReadonlySet<ForwardedRoute> = new Set<ForwardedRoute>([
  "POST /change-password",
  "POST /two-factor/enable",
  "POST /two-factor/disable",
  "POST /two-factor/generate-backup-codes",
])

/** Routes with a secret that could be guessed: each try counts against the caller's place. */
export const guessedRoutes: ReadonlySet<ForwardedRoute> = new Set<ForwardedRoute>([
  ...passwordRoutes,
  "POST /two-factor/verify-totp",
  "POST /two-factor/verify-backup-code",
  "POST /passkey/verify-authentication",
  "GET /device",
  "POST /device/approve",
])

/** Routes that take a code of the second factor. */
export const codeRoutes: ReadonlySet<ForwardedRoute> = new Set<ForwardedRoute>([
  "POST /two-factor/verify-totp",
  "POST /two-factor/verify-backup-code",
])

/** Routes that store something for any caller: they count until it is used, so that strangers cannot fill a table. */
export const keepingRoutes: ReadonlySet<ForwardedRoute> = new Set<ForwardedRoute>([
  "POST /device/code",
  "GET /passkey/generate-authenticate-options",
])

/** Routes that use what another route stored, and that route. */
export const usingRoutes: ReadonlyMap<ForwardedRoute, ForwardedRoute> = new Map([
  ["POST /device/token", "POST /device/code"],
  ["POST /passkey/verify-authentication", "GET /passkey/generate-authenticate-options"],
])
