import { open } from "node:fs/promises"
import path from "node:path"
import { maxImportBytes } from "@docket/core/import-limit"
import { z } from "zod"
import { refusalOf } from "../call-service.ts"
import type { Connected } from "../connect/connect.ts"
import { UsageError } from "../usage-error.ts"

export interface ImportWanted {
  project: string
  newIds?: boolean
}

const Report = z.object({
  sessionID: z.string(),
  title: z.string(),
  from: z.string(),
  counts: z.record(z.string(), z.number()),
  left: z.array(z.object({ what: z.string(), count: z.number() })),
})

type Service = Pick<Connected, "client" | "url" | "token">

/** Sends a file to the service, and answers with what came of it. @throws UsageError */
export async function importSession(
  { client, url, token }: Service,
  file: string,
  { project, newIds = false }: ImportWanted,
): Promise<{ sessionID: string; report: string[] }> {
  const bytes = await readSmall(file)
  const { id } = await client.project.open.mutate({ directory: path.resolve(project) })
  const query = new URLSearchParams({ project: id, new_ids: newIds ? "1" : "0" })
  const response = await fetch(`${url}/api/import?${query}`, {
    method: "POST",
    headers: { authorization: `Bearer ${token}`, "content-type": "application/octet-stream" },
    body: bytes,
  })
  if (!response.ok) throw await refusalOf(response)
  const report = Report.parse(await response.json())
  return { sessionID: report.sessionID, report: linesOf(report) }
}

/** The file, once it is known to be one that is taken: what is too large is not read. */
async function readSmall(name: string): Promise<Uint8Array<ArrayBuffer>> {
  try {
    await using file = await open(name)
    const { size } = await file.stat()
    if (size > maxImportBytes) throw new Error(`it is larger than ${maxImportBytes / 1024 / 1024} MiB`)
    return new Uint8Array(await file.readFile())
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause)
    throw new UsageError(`${name} cannot be imported: ${reason}`, { cause })
  }
}

function linesOf({ title, from, counts, left }: z.infer<typeof Report>): string[] {
  const parts = Object.entries(counts).filter(([, count]) => count > 0)
  return [
    `imported "${title}" from ${from}: ${parts.map(([what, count]) => `${count} ${what}`).join(", ")}`,
    ...left.map(({ what, count }) => `  not carried over: ${count} ${what}`),
  ]
}
