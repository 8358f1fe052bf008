import type { ImportReport } from "@docket/core"

export interface ExportWanted {
  format: "json" | "markdown"
  /** Replaces possible secrets, as a share does. */
  sanitize: boolean
}

/** The path on the service from which a session's tree is downloaded as a file. */
export function exportPath(sessionID: string, { format, sanitize }: ExportWanted): string {
  return `/api/export/${encodeURIComponent(sessionID)}?format=${format}&sanitize=${sanitize ? 1 : 0}`
}

interface ImportWanted {
  /** Address of the service; `""` in its own web app, which needs no token. */
  url: string
  token?: string | undefined
  file: Blob | Uint8Array<ArrayBuffer>
  projectID: string
  newIDs: boolean
  signal?: AbortSignal | undefined
}

/** Sends a session file and returns the report. @throws Error with the reason when the service refuses it */
export async function importFile({ url, token, file, projectID, newIDs, signal }: ImportWanted): Promise<ImportReport> {
  const response = await fetch(`${url}/api/import?project=${encodeURIComponent(projectID)}&new_ids=${newIDs ? 1 : 0}`, {
    method: "POST",
    headers: { "content-type": "application/octet-stream", ...(token && { authorization: `Bearer ${token}` }) },
    body: file,
    ...(signal && { signal }),
  })
  const answer: unknown = await response.json().catch(() => null)
  // The service answers with a report, or with the reason why there is none.
  if (response.ok) return answer as ImportReport
  throw new Error(reasonIn(answer) ?? `The service refused the file (${response.status}).`)
}

function reasonIn(answer: unknown): string | null {
  if (typeof answer !== "object" || answer === null || !("error" in answer)) return null
  const { error } = answer
  return typeof error === "object" && error !== null && "message" in error ? String(error.message) : null
}
