import type { IncomingMessage, ServerResponse } from "node:http"
import type { AccountFace, Auth } from "@docket/api"
import type { AuditAct } from "@docket/core/schema"
import { type AccountAudit, viaOf } from "./account-audit.ts"

export interface AuditedAccountsDeps {
  face: AccountFace
  auth: Pick<Auth, "identify" | "cookieName">
  audit: AccountAudit
  addressOf(req: IncomingMessage): string
}

/** Audit acts of signed-in users on their accounts, by method and path. */
const acts: ReadonlyMap<string, AuditAct> = new Map([
  ["POST /api/logout", "sign-out"],
  ["POST /api/auth/sign-out", "sign-out"],
  ["POST /api/auth/change-password", "sign-in.method"],
  ["POST /api/auth/two-factor/enable", "sign-in.method"],
  ["POST /api/auth/two-factor/disable", "sign-in.method"],
  ["POST /api/auth/two-factor/generate-backup-codes", "sign-in.method"],
  ["POST /api/auth/passkey/verify-registration", "sign-in.method"],
  ["POST /api/auth/passkey/delete-passkey", "sign-in.method"],
  ["POST /api/auth/passkey/rename", "sign-in.method"],
  ["POST /api/auth/provider/unlink", "sign-in.method"],
  ["POST /api/auth/device/approve", "sign-in"],
] as const)

/** A user who allows a command line on a page signs that in, not the browser. */
function viaOfRoute(call: string): "cli" | null {
  return call === "POST /api/auth/device/approve" ? "cli" : null
}

/** Routes that fail when a code or a link was guessed. */
const guessed =
  /^POST \/api\/auth\/(?:two-factor\/verify-|passkey\/verify-authentication|invitation\/accept|reset|first-owner|device\/approve)|^GET \/sign-in\//

/** Whether a failure is recorded elsewhere: a wrong password is recorded where the account is known. */
function isToldElsewhere(call: string, status: number): boolean {
  return status === 429 || (status === 401 && call === "POST /api/auth/invitation/accept")
}

/** The account routes with audit entries: sign-ins, failed attempts, and changes of an account. */
export function auditedAccounts({ face, auth, audit, addressOf }: AuditedAccountsDeps): AccountFace {
  return {
    ...face,
    async serve(req, res, path) {
      const call = `${req.method} ${path}`
      const act = acts.get(call)
      // Read now, because after a sign-out the user is unknown.
      const before = act === undefined ? null : await auth.identify(req)
      const isServed = await face.serve(req, res, path)
      if (!isServed) return false
      const happened = { call, address: addressOf(req), via: viaOfRoute(call) ?? viaOf(req) }
      const person = res.statusCode < 400 ? (before?.caller.person ?? (await signedIn(auth, res))) : null
      // A browser that returns from a provider is redirected in any case; only a signed-in user has a cookie by then.
      const isDone = res.statusCode < 400 && (person !== null || !path.startsWith("/sign-in/"))
      const isFailedGuess = !isDone && !isToldElsewhere(call, res.statusCode) && guessed.test(call)
      if (person !== null) await audit.did(person, { ...happened, act: act ?? "sign-in" })
      else if (isFailedGuess) await audit.failed(null, happened)
      return true
    },
  }
}

/** The user whose sign-in cookie an answer has set; null when it has set none. */
async function signedIn(auth: AuditedAccountsDeps["auth"], res: ServerResponse): Promise<string | null> {
  const cookies = [res.getHeader("set-cookie") ?? []].flat().map(String)
  const cookie = cookies.find((each) => each.startsWith(`${auth.cookieName}=`))?.split(";")[0]
  if (cookie === undefined || cookie.endsWith("=")) return null
  return (await auth.identify({ headers: { cookie } }))?.caller.person ?? null
}
