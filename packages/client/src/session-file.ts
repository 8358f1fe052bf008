import type { ImportReport } from "@docket/core"

export interface ExportWanted {
  format: "json" | "markdown"
  /** Replaces what looks secret, as a share does. */
  sanitize: boolean
}

/** Where a session's tree is loaded from as a file, below the address of the service. */
export function exportPath(sessionID: string, { format, sanitize }: ExportWanted): string {
  return `/api/export/${encodeURIComponent(sessionID)}?format=${format}&sanitize=${sanitize ? 1 : 0}`
}

interface ImportWanted {
  /** Of the service; `""` in its own web app, which needs no token. */
  url: string
  token?: string | undefined
  file: Blob | Uint8Array<ArrayBuffer>
  projectID: string
  newIDs: boolean
  signal?: AbortSignal | undefined
}

/** Sends a file of a session, and answers with what came of it. @throws Error with the reason when it is refused */
export async function importFile({ url, token, file, projectID, newIDs, signal }: ImportWanted): Promise<ImportReport> {
  const response = await fetch(`${url}/api/import?project=${encodeURIComponent(projectID)}&new_ids=${newIDs ? 1 : 0}`, {
    method: "POST",
    headers: { "content-type": "application/octet-stream", ...(token && { authorization: `Bearer ${token}` }) },
    body: file,
    ...(signal && { signal }),
  })
  const answer: unknown = await response.json().catch(() => null)
  // The service answers with a report, or with why there is none.
  if (response.ok) return answer as ImportReport
  throw new Error(reasonIn(answer) ?? `The service refused the file (${response.status}).`)
}

function reasonIn(answer: unknown): string | null {
  if (typeof answer !== "object" || answer === null || !("error" in answer)) return null
  const { error } = answer
  return typeof error === "object" && error !== null && "message" in error ? String(error.message) : null
}
