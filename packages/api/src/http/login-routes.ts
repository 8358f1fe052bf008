import type { IncomingMessage, ServerResponse } from "node:http"
import { z } from "zod"
import type { Auth } from "../auth/auth.ts"
import { loginCookie } from "../auth/credentials.ts"
import { readJson } from "./read-json.ts"
import { sendJson, sendRefusal } from "./respond.ts"

const LoginBody = z.object({ code: z.string().min(1).max(200) })

/** `POST /api/login {code}`: exchanges a one-time code for the session cookie. */
export async function serveLogin(auth: Auth, req: IncomingMessage, res: ServerResponse): Promise<void> {
  const { code } = await readJson(req, LoginBody)
  const login = await auth.redeemLoginCode(code)
  if (!login) {
    const message = "this login link was used or has expired; the login page says how to get a new one"
    return sendRefusal(res, { status: 401, code: "UNAUTHORIZED", message })
  }
  res.setHeader("set-cookie", cookie(auth, login.secret, login.maxAgeSeconds))
  sendJson(res, 200, { ok: true })
}

/** `POST /api/logout`: ends the login of the cookie. */
export async function serveLogout(auth: Auth, req: IncomingMessage, res: ServerResponse): Promise<void> {
  const secret = loginCookie(req, auth.cookieName)
  if (secret !== null) await auth.endLogin(secret)
  res.setHeader("set-cookie", cookie(auth, "", 0))
  sendJson(res, 200, { ok: true })
}

/** `POST /api/login-code`: a new one-time login link, for who is signed in. */
export function serveLoginCode(auth: Auth, origin: string, res: ServerResponse): void {
  sendJson(res, 200, { loginUrl: loginUrl(origin, auth.createLoginCode()) })
}

/** The code is in the fragment, which browsers send to no server and write into no log. */
export function loginUrl(origin: string, code: string): string {
  return `${origin}/login#${code}`
}

function cookie(auth: Auth, value: string, maxAgeSeconds: number): string {
  return `${auth.cookieName}=${value}; HttpOnly; SameSite=Strict; Path=/; Max-Age=${maxAgeSeconds}`
}
