import { nodesAt, properties } from "./json-tree.ts"
import type { ConfigSource } from "./read-config-sources.ts"
import { readJsonTree } from "./read-json-tree.ts"

/** The names of the MCP servers in a configuration file, so that rules in every file may be about their tools. */
export function mcpNamesIn({ text, agent }: Pick<ConfigSource, "text" | "agent">): string[] {
  if (agent !== null || !text.includes('"mcp"')) return []
  const tree = readJsonTree(text)
  return tree === undefined ? [] : nodesAt(tree, ["mcp"]).flatMap((node) => properties(node).map(({ key }) => key))
}
