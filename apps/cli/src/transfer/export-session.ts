import { once } from "node:events"
import { open, rename, rm } from "node:fs/promises"
import { exportPath } from "@docket/client"
import { refusalOf } from "../call-service.ts"
import type { Connected } from "../connect/connect.ts"
import { UsageError } from "../usage-error.ts"

export interface ExportWanted {
  format: "json" | "markdown"
  out?: string
  sanitize?: boolean
}

type Service = Pick<Connected, "client" | "url" | "token">

/**
 * Writes a session's tree to a file or to stdout. A failed export leaves an existing file as it was. @throws UsageError
 */
export async function exportSession(service: Service, given: string | undefined, options: ExportWanted): Promise<void> {
  const sessionID = given ?? (await newestSession(service))
  const { format, sanitize = false } = options
  const response = await fetch(service.url + exportPath(sessionID, { format, sanitize }), {
    headers: { authorization: `Bearer ${service.token}` },
  })
  if (!response.ok || response.body === null) throw await refusalOf(response)
  if (options.out === undefined) return writeOut(response.body)
  await writeFile(response.body, options.out)
  process.stderr.write(`wrote ${options.out}\n`)
}

async function newestSession({ client }: Service): Promise<string> {
  const { items } = await client.session.list.query({ limit: 1 })
  const [newest] = items
  if (newest === undefined) throw new UsageError("there is no session to export")
  return newest.session.id
}

async function writeOut(body: AsyncIterable<Uint8Array>): Promise<void> {
  try {
    for await (const chunk of body) if (!process.stdout.write(chunk)) await once(process.stdout, "drain")
  } catch (cause) {
    throw notWhole("the session", cause)
  }
}

async function writeFile(body: AsyncIterable<Uint8Array>, out: string): Promise<void> {
  const unfinished = `${out}.part`
  try {
    // Only the owner may read a transcript.
    await using file = await open(unfinished, "w", 0o600)
    for await (const chunk of body) await file.write(chunk)
  } catch (cause) {
    await rm(unfinished, { force: true })
    throw notWhole(out, cause)
  }
  await rename(unfinished, out)
}

function notWhole(what: string, cause: unknown): UsageError {
  const reason = cause instanceof Error ? cause.message : String(cause)
  return new UsageError(`${what} was not written to its end: ${reason}`, { cause })
}
