import type { Tool } from "./tool.ts"

export interface ToolRegistry {
  /** All tools in the order they were given. */
  list(): Tool[]
  get(id: string): Tool | null
}

/** @throws Error when two tools have the same id */
export function createToolRegistry(tools: readonly Tool[]): ToolRegistry {
  const byId = new Map<string, Tool>()
  for (const tool of tools) {
    if (byId.has(tool.id)) throw new Error(`two tools are called ${tool.id}`)
    byId.set(tool.id, tool)
  }
  return { list: () => [...byId.values()], get: (id) => byId.get(id) ?? null }
}
