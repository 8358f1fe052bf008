/**
 * The routes of better-auth that can be reached from outside, by method and path below `/api/auth`. It has three times as
 * many, for signing up, workspaces, keys and other people's accounts: those that are not here do not exist.
 */
export const forwardedRoutes: ReadonlySet<string> = new Set([
  "POST /sign-out",
  "POST /change-password",
  "POST /two-factor/enable",
  "POST /two-factor/disable",
  "POST /two-factor/verify-totp",
  "POST /two-factor/verify-backup-code",
  "POST /two-factor/generate-backup-codes",
  "GET /passkey/generate-register-options",
  "POST /passkey/verify-registration",
  "GET /passkey/generate-authenticate-options",
  "POST /passkey/verify-authentication",
  "GET /passkey/list-user-passkeys",
  "POST /device/code",
  "POST /device/token",
  "GET /device",
  "POST /device/approve",
  "POST /device/deny",
])

/** Those that take the password of who is signed in, as signing in does. */
export const passwordRoutes: ReadonlySet<string> = new Set([
  "POST /change-password",
  "POST /two-factor/enable",
  "POST /two-factor/disable",
  "POST /two-factor/generate-backup-codes",
])

/** Those that take a secret which can be guessed by trying: each try counts against the place it comes from. */
export const guessedRoutes: ReadonlySet<string> = new Set([
  ...passwordRoutes,
  "POST /two-factor/verify-totp",
  "POST /two-factor/verify-backup-code",
  "POST /passkey/verify-authentication",
  "GET /device",
  "POST /device/approve",
])

/** Those that take a code of the second step. */
export const codeRoutes: ReadonlySet<string> = new Set([
  "POST /two-factor/verify-totp",
  "POST /two-factor/verify-backup-code",
])

/** Those that keep something for whoever asks: they count until it is used, so that strangers fill no table. */
export const keepingRoutes: ReadonlySet<string> = new Set([
  "POST /device/code",
  "GET /passkey/generate-authenticate-options",
])

/** Those that use what was kept, and what had kept it. */
export const usingRoutes: ReadonlyMap<string, string> = new Map([
  ["POST /device/token", "POST /device/code"],
  ["POST /passkey/verify-authentication", "GET /passkey/generate-authenticate-options"],
])
