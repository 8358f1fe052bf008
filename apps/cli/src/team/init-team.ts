import { chmod, mkdir, readFile, writeFile } from "node:fs/promises"
import path from "node:path"
import { docketCommand } from "@docket/core/program"
import { z } from "zod"
import { callService } from "../call-service.ts"
import { findLiveServer } from "../connect/live-server.ts"
import { readToken } from "../connect/read-token.ts"
import { env } from "../env.ts"
import { UsageError } from "../usage-error.ts"

const Link = z.object({ url: z.string().nullable() })

/**
 * Sets a data directory up for a team at an address; other settings stay. Returns what to tell the user: a link for the
 * first owner when the service already runs for a team, else how to start it.
 * @throws UsageError for an invalid address
 */
export async function initTeam(data: string, url: string | undefined): Promise<string> {
  const file = path.join(data, "team.json")
  const before = await readSettings(file)
  const address = url === undefined ? before.url : publicOrigin(url)
  if (typeof address !== "string")
    throw new UsageError("say where people reach Docket: --url https://docket.example.org")
  const isNew = before.url !== address
  if (isNew) {
    await mkdir(data, { recursive: true, mode: 0o700 })
    await writeFile(file, `${JSON.stringify({ ...before, url: address }, null, 2)}\n`, { mode: 0o600 })
    await chmod(file, 0o600)
  }
  const live = await findLiveServer(data)
  if (live === null)
    return `Docket is set up for a team at ${address}.\nStart it: it prints the link for the first owner.\n\n${startsOf(data, address)}\n`
  if (isNew)
    return `Docket is set up for a team at ${address}.\nIt runs without that yet. Stop it and start it again: it prints the link for the first owner.`
  const call = { path: "/api/auth/first-owner/link", body: {} }
  const link = await callService({ url: live.url, token: await readToken(live.tokenFile) }, call, Link)
  if (link.url === null) return `The team at ${address} has its owner. People come by invitations now.`
  return `Open this link to make the account of the first owner (it works once, for an hour):\n\n  ${link.url}\n`
}

/** Commands that start the service on this directory. It is unknown here where TLS ends, so both variants are shown. */
function startsOf(data: string, address: string): string {
  const { protocol, hostname, port } = new URL(address)
  const serve = docketCommand({ command: "serve", data, path: env.PATH })
  if (protocol === "https:")
    return `  ${serve} --trust-proxy 127.0.0.1

That is behind a proxy on this machine. Where Docket itself is to speak TLS:

  ${serve} --host 0.0.0.0 --port ${port || 443} --tls-cert FILE --tls-key FILE`
  const listen = hosts[hostname]
  if (listen !== undefined) return `  ${serve}${listen} --port ${port || 80}`
  return `  ${serve} --host 0.0.0.0 --port ${port || 80} --insecure-http

Everybody on the way can read passwords then: an https:// address is better.`
}

/** Names of this machine, with the option that makes a service listen at that name. */
const hosts: Record<string, string> = { localhost: "", "127.0.0.1": "", "[::1]": " --host ::1" }

function publicOrigin(text: string): string {
  const url = URL.canParse(text) ? new URL(text) : null
  const isBare = url !== null && url.pathname === "/" && url.search + url.hash + url.username === ""
  if (isBare && /^https?:$/.test(url.protocol)) return url.origin
  throw new UsageError(`--url is like https://docket.example.org, without a path; not ${JSON.stringify(text)}`)
}

async function readSettings(file: string): Promise<Record<string, unknown>> {
  const text = await readFile(file, "utf8").catch((error: NodeJS.ErrnoException) => {
    if (error.code === "ENOENT") return "{}"
    throw new UsageError(`${file} cannot be read (${error.code})`)
  })
  try {
    return z.record(z.string(), z.unknown()).parse(JSON.parse(text))
  } catch {
    throw new UsageError(`${file} is not JSON with an object in it; mend it or remove it`)
  }
}
