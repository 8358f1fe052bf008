import type { DocketClient } from "@docket/client"
import { visibleText } from "@docket/core/rule"
import { UsageError } from "../usage-error.ts"

/** @throws UsageError with the names that there are, when no MCP server has this one */
export async function requireServer(
  client: Pick<DocketClient, "extension">,
  { name, ...place }: { projectID?: string; name: string },
): Promise<void> {
  const items = await client.extension.list.query(place)
  const names = items.flatMap(({ ref }) => (ref.kind === "mcp" ? [ref.name] : []))
  if (names.includes(name)) return
  const known = names.length === 0 ? "none is configured; docket mcp add adds one" : `there are ${names.join(", ")}`
  throw new UsageError(visibleText(`there is no MCP server "${name}": ${known}`))
}
