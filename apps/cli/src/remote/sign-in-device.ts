import { hostname } from "node:os"
import { setTimeout as sleep } from "node:timers/promises"
import { z } from "zod"
import { UsageError } from "../usage-error.ts"
import { tlsMessage } from "./tls-message.ts"

/** The client id by which the server knows this program (RFC 8628). */
const clientID = "docket-cli"
const grant = "urn:ietf:params:oauth:grant-type:device_code"

const Code = z.object({
  device_code: z.string(),
  // The code is printed on a terminal, which would interpret other characters.
  user_code: z.string().regex(/^[A-Za-z0-9-]{4,40}$/),
  verification_uri: z.url(),
  verification_uri_complete: z.url(),
  expires_in: z.number().positive(),
  interval: z.number().positive(),
})
const Token = z.object({ access_token: z.string().min(1) })
const Refused = z.object({ error: z.string() })

export interface DeviceDeps {
  /** Shows a message to the user. */
  say(text: string): void
  signal: AbortSignal
}

/**
 * Signs this machine in to a server: a user who is signed in there confirms it in a browser. Returns the token.
 * @throws UsageError when the user refused, it took too long, or the address is not a team server
 */
export async function signInDevice(url: string, { say, signal }: DeviceDeps): Promise<string> {
  const asked = await send(url, "code", { client_id: clientID }, signal)
  const code = Code.safeParse(asked.body)
  if (!asked.ok || !code.success) throw whyNoCode(url, asked)
  const { device_code, user_code, verification_uri_complete, expires_in, interval } = code.data
  // The server knows its own public address. A page of any other origin must not ask the user to confirm.
  const page = new URL(verification_uri_complete)
  if (page.origin !== url) throw new UsageError(`this server is reached at ${page.origin}: name that`)
  say(`Open this page in a browser, and allow the code ${user_code}:\n\n  ${page.href}\n\n`)
  const end = Date.now() + expires_in * 1_000
  for (let wait = interval * 1_000; Date.now() < end; ) {
    await sleep(wait, undefined, { signal })
    const answer = await send(url, "token", { grant_type: grant, device_code, client_id: clientID }, signal)
    const token = Token.safeParse(answer.body)
    if (answer.ok && token.success) return token.data.access_token
    const reason = Refused.safeParse(answer.body).data?.error
    const mayStillSucceed = reason === "authorization_pending" || answer.status >= 500 || answer.status === 429
    // RFC 8628, 3.5: five seconds more.
    if (reason === "slow_down") wait += 5_000
    else if (reason === "access_denied") throw new UsageError("it was refused on the page; you are not signed in")
    else if (!mayStillSucceed) break
  }
  throw new UsageError(`the code has expired; run docket login --server ${url} again`)
}

interface Answer {
  ok: boolean
  status: number
  body: unknown
  retryAfter: string | null
}

async function send(url: string, route: string, body: object, signal: AbortSignal): Promise<Answer> {
  const headers = { "content-type": "application/json", "user-agent": `docket on ${hostname()}` }
  const init = { method: "POST", headers, body: JSON.stringify(body), signal, redirect: "manual" } as const
  const response = await fetch(`${url}/api/auth/device/${route}`, init).catch((cause: unknown) => {
    if (signal.aborted) throw cause
    throw new UsageError(`${url} does not answer${reasonSuffix(tlsMessage(cause))}`, { cause })
  })
  const { ok, status } = response
  const [retryAfter = null] = /^\d{1,6}$/.exec(response.headers.get("retry-after") ?? "") ?? []
  return { ok, status, body: await response.json().catch(() => null), retryAfter }
}

function reasonSuffix(words: string | null): string {
  return words === null ? "; look whether the address is right and the server runs" : `: ${words}`
}

function whyNoCode(url: string, { status, retryAfter }: Answer): UsageError {
  if (status === 429) return new UsageError(`too many tries from here; wait ${retryAfter ?? "some"} seconds`)
  if (status === 421)
    return new UsageError(`the service at ${url} is reached by another address: name that of its pages`)
  if (status === 403) return new UsageError(`the service at ${url} is reached by https:// only`)
  return new UsageError(
    `${url} is no Docket for a team. One on this machine needs no sign-in; for a team it is set up by docket team init.`,
  )
}
