/** Our messages for the error codes of better-auth. */
const words: Readonly<Record<string, string>> = {
  SESSION_NOT_FRESH:
    "You signed in more than 15 minutes ago. Sign out and in again, so that it is surely you, then try again.",
  INVALID_CODE: "This code is not right. Look at the app again, and check that its clock is right, then try again.",
  INVALID_BACKUP_CODE: "This backup code is not right, or was used.",
  INVALID_PASSWORD: "The password is not right. Try again.",
  INVALID_TWO_FACTOR_COOKIE: "That took too long. Load this page again, and begin with your password.",
  TOO_MANY_ATTEMPTS_REQUEST_NEW_CODE: "Too many tries. Load this page again, and begin with your password.",
  ACCOUNT_TEMPORARILY_LOCKED: "Too many codes were wrong. Wait 15 minutes, then try again.",
  PASSKEY_NOT_FOUND: "Docket does not know this passkey. It may have been removed; sign in another way.",
  AUTHENTICATION_FAILED: "This passkey was not accepted. Try again, or sign in another way.",
}

/** The message for an error code; null for an unknown code. */
export function accountMessage(code: unknown): string | null {
  return typeof code === "string" && Object.hasOwn(words, code) ? (words[code] ?? null) : null
}
