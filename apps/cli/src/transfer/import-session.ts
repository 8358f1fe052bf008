import { importFile, importMessage } from "@docket/client"
import type { ImportReport } from "@docket/core"
import { readBoundedFile, unreadableReason } from "@docket/core/file"
import { maxImportBytes } from "@docket/core/import-limit"
import type { Connected } from "../connect/connect.ts"
import { projectDirectory } from "../connect/project-directory.ts"
import { openProject } from "../open-project.ts"
import { UsageError } from "../usage-error.ts"

export interface ImportWanted {
  project?: string
  newIds?: boolean
}

type Service = Pick<Connected, "client" | "url" | "token" | "isRemote">

/** Sends a session file to the service and returns the result. @throws UsageError */
export async function importSession(
  service: Service,
  file: string,
  { project, newIds = false }: ImportWanted,
): Promise<{ sessionID: string; report: string[] }> {
  const { client, url, token } = service
  const bytes = await readImport(file)
  const { id } = await openProject(client, await projectDirectory(service, project))
  const sending = importFile({ url, token, file: bytes, projectID: id, newIDs: newIds })
  const report = await sending.catch((cause: Error) => {
    throw new UsageError(cause.message, { cause })
  })
  return { sessionID: report.sessionID, report: linesOf(report) }
}

/** Reads a file to import. A file that is too large is refused without reading all of it. */
async function readImport(name: string): Promise<Uint8Array<ArrayBuffer>> {
  try {
    return new Uint8Array(await readBoundedFile(name, maxImportBytes))
  } catch (cause) {
    throw new UsageError(`${name} cannot be imported: it ${unreadableReason(cause)}`, { cause })
  }
}

function linesOf({ title, from, counts, left }: ImportReport): string[] {
  return [
    `imported "${title}" from ${from}: ${importMessage(counts)}`,
    ...left.map(({ what, count }) => `  not carried over: ${count} ${what}`),
  ]
}
