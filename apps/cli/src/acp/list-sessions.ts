import type { ListSessionsRequest, ListSessionsResponse } from "@agentclientprotocol/sdk/unstable"
import type { DocketClient } from "@docket/client"
import { visibleText } from "@docket/core/rule"
import { shortTitle } from "@docket/core/session-title"
import { knownProjectOfEditor } from "./project-of-editor.ts"

/** The sessions that an editor may open, those of one directory if it names one; the newest first, by pages. */
export async function listSessions(
  docket: DocketClient,
  { cwd, cursor }: ListSessionsRequest,
): Promise<ListSessionsResponse> {
  const project = cwd ? await knownProjectOfEditor(docket, cwd) : null
  if (project === undefined) return { sessions: [] }
  const place = project === null ? {} : { projectID: project.id }
  const page = await docket.session.list.query({ ...place, ...(cursor && { cursor }) })
  return {
    sessions: page.items.map(({ session }) => ({
      sessionId: session.id,
      cwd: session.directory,
      title: visibleText(shortTitle(session)),
      updatedAt: new Date(session.time.updated).toISOString(),
    })),
    nextCursor: page.cursor,
  }
}
