import { z } from "zod"

const LoginCode = z.object({ loginUrl: z.string() })

/** Signs in once more with the service's token. Returns the cookie header. */
export async function newSignIn(url: string, token: string): Promise<string> {
  const headers = { authorization: `Bearer ${token}`, "content-type": "application/json" }
  const asked = await fetch(`${url}/api/login-code`, { method: "POST", headers, body: "{}" })
  return signIn(LoginCode.parse(await asked.json()).loginUrl)
}

/** Redeems a login link as its page does. Returns the cookie header of the sign-in. */
export async function signIn(loginUrl: string): Promise<string> {
  const link = new URL(loginUrl)
  const answer = await fetch(new URL("/api/login", link), {
    method: "POST",
    headers: { "content-type": "application/json", origin: link.origin },
    body: JSON.stringify({ code: link.hash.slice(1) }),
  })
  if (!answer.ok) throw new Error(`the login was refused: ${answer.status} ${await answer.text()}`)
  return answer.headers
    .getSetCookie()
    .map((cookie) => cookie.split(";", 1)[0])
    .join("; ")
}
