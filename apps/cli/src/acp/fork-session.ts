import { RequestError } from "@agentclientprotocol/sdk/unstable"
import { exportPath, importFile } from "@docket/client"
import { refusalOf } from "../call-service.ts"
import type { Connected } from "../connect/connect.ts"

/** Copies a session with everything below it. The files of the project stay as they are. @returns the id of the copy */
export async function forkSession({ client, url, token }: Connected, sessionID: string): Promise<string> {
  const { projectID, parentID } = await client.session.get.query({ sessionID })
  if (parentID !== null)
    throw RequestError.invalidParams(undefined, "only a whole session can be copied, no part of one")
  const response = await fetch(url + exportPath(sessionID, { format: "json", sanitize: false }), {
    headers: { authorization: `Bearer ${token}` },
  })
  if (!response.ok) throw await refusalOf(response)
  const file = new Uint8Array(await response.arrayBuffer())
  const report = await importFile({ url, token, file, projectID, newIDs: true })
  return report.sessionID
}
