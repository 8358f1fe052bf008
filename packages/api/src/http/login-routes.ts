import type { IncomingMessage, ServerResponse } from "node:http"
import { z } from "zod"
import type { Audit } from "../audit/audit.ts"
import type { Auth } from "../auth/auth.ts"
import { loginCookie } from "../auth/credentials.ts"
import type { Ingress } from "./ingress.ts"
import { readJson } from "./read-json.ts"
import { sendJson, sendRefusal } from "./respond.ts"

interface LoginDeps {
  auth: Auth
  ingress: Pick<Ingress, "isSecure" | "addressOf">
}

const LoginBody = z.object({ code: z.string().min(1).max(200) })

/** `POST /api/login {code}`: exchanges a one-time code for the session cookie. */
export async function serveLogin(
  deps: LoginDeps & { audit: Pick<Audit, "shownLink"> | null },
  req: IncomingMessage,
  res: ServerResponse,
): Promise<void> {
  const { code } = await readJson(req, LoginBody)
  const { auth, ingress, audit } = deps
  const login = await auth.redeemLoginCode(code)
  const headers = { cookie: `${auth.cookieName}=${login?.secret}` }
  await audit?.shownLink(login && (await auth.identify({ headers })), req, ingress)
  if (!login) {
    const message = "this login link was used or has expired; the login page says how to get a new one"
    return sendRefusal(res, { status: 401, code: "UNAUTHORIZED", message })
  }
  res.setHeader("set-cookie", cookie(deps, login.secret, login.maxAgeSeconds))
  sendJson(res, 200, { ok: true })
}

/** `POST /api/logout`: ends the login of the cookie. */
export async function serveLogout(deps: LoginDeps, req: IncomingMessage, res: ServerResponse): Promise<void> {
  const { auth } = deps
  const secret = loginCookie(req, auth.cookieName)
  if (secret !== null) await auth.endLogin(secret)
  res.setHeader("set-cookie", cookie(deps, "", 0))
  sendJson(res, 200, { ok: true })
}

/** `POST /api/login-code`: a new one-time login link, for somebody who is signed in. */
export async function serveLoginCode(auth: Auth, origin: string, res: ServerResponse): Promise<void> {
  sendJson(res, 200, { loginUrl: loginUrl(origin, await auth.createLoginCode()) })
}

/** The code is in the fragment, which browsers never send to a server or write to a log. */
export function loginUrl(origin: string, code: string): string {
  return `${origin}/login#${code}`
}

function cookie({ auth, ingress }: LoginDeps, value: string, maxAgeSeconds: number): string {
  const secure = ingress.isSecure ? "; Secure" : ""
  return `${auth.cookieName}=${value}; HttpOnly; SameSite=Strict; Path=/; Max-Age=${maxAgeSeconds}${secure}`
}
