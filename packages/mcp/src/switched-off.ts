import type { ExtensionPlace } from "@docket/core/extension-host"
import type { McpServer } from "@docket/core/schema"
import { refOf } from "./configured-servers.ts"

/** Somebody switched a server off: nothing that it failed of. */
export class SwitchedOff extends Error {}

/** What to say of a server that is switched off. `during`: it worked on something, of which it may have done a part. */
export async function switchedOff(
  place: ExtensionPlace,
  server: McpServer,
  { during, cause }: { during: boolean; cause?: unknown },
): Promise<SwitchedOff> {
  const [facts] = await place.ledger.factsOf([refOf(place, server)])
  const name = facts?.switched?.by.name
  const by = name === undefined ? "" : ` by ${name}`
  const when = during ? ` before it had answered; it may have done a part of what it was asked` : ""
  return new SwitchedOff(`The MCP server "${server.name}" was switched off${by}${when}.`, { cause })
}
