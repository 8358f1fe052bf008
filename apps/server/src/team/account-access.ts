import type { Capability } from "@docket/api"

/**
 * The required capability of each route below `/api/auth`, by method and path. Null: the route needs only what is sent,
 * such as a password, a link or a code, or the cookie that a sign-out ends.
 */
type Access = Readonly<Record<string, Capability | null>>

export const ownAccess = {
  "GET /methods": "account",
  "POST /provider": null,
  "POST /provider/unlink": "account",
  "POST /passkey/delete-passkey": "account",
  "POST /passkey/rename": "account",
  "POST /sign-in/email": null,
  "POST /first-owner/link": "service.manage",
  "POST /first-owner/look": null,
  "POST /first-owner": null,
  "POST /invitation/look": null,
  "POST /invitation/accept": null,
  "POST /reset/look": null,
  "POST /reset": null,
} as const satisfies Access

/**
 * The routes of better-auth that are reachable from outside. It has three times as many, for sign-up, workspaces, keys
 * and other users' accounts: routes that are not listed here do not exist.
 */
export const forwardedAccess = {
  "POST /sign-out": null,
  "POST /change-password": "account",
  "POST /two-factor/enable": "account",
  "POST /two-factor/disable": "account",
  "POST /two-factor/verify-totp": null,
  "POST /two-factor/verify-backup-code": null,
  "POST /two-factor/generate-backup-codes": "account",
  "GET /passkey/generate-register-options": "account",
  "POST /passkey/verify-registration": "account",
  "GET /passkey/generate-authenticate-options": null,
  "POST /passkey/verify-authentication": null,
  "GET /passkey/list-user-passkeys": "account",
  "POST /device/code": null,
  "POST /device/token": null,
  "GET /device": null,
  "POST /device/approve": "account",
  "POST /device/deny": "account",
} as const satisfies Access

export type OwnRoute = keyof typeof ownAccess
export type ForwardedRoute = keyof typeof forwardedAccess

export function isOwn(route: string): route is OwnRoute {
  return Object.hasOwn(ownAccess, route)
}

export function isForwarded(route: string): route is ForwardedRoute {
  return Object.hasOwn(forwardedAccess, route)
}
