import type { ExtensionPlace } from "@docket/core/extension-host"
import { mcpServersOf } from "@docket/core/mcp-servers"
import type { McpServer } from "@docket/core/schema"

/** The servers of a project that count, the user's own too. */
export function serversIn({ sources, provided, programs, otherServers, isShared, env }: ExtensionPlace): McpServer[] {
  return mcpServersOf({ sources, provided, programs, otherServers }, isShared ? null : env)
}
