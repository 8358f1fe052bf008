import { createHash } from "node:crypto"
import type { McpServer } from "@docket/core/schema"
import type { Tool } from "@docket/core/tool"
import type { CallToolResult } from "@modelcontextprotocol/client"
import { createAsker } from "./create-asker.ts"
import { progressText } from "./progress-text.ts"
import { readResult } from "./read-result.ts"
import type { CallOptions } from "./server-connection.ts"
import type { ServerTool } from "./server-tool.ts"
import type { NamedTool } from "./tool-names.ts"

/** ms of silence of a call. */
const usualTimeout = 60_000
/** How often that a call may take in all. A task is meant to take long: ms. */
const usualTotal = { timeouts: 10, ofTask: 60 * 60_000 } as const

interface ToolDeps {
  server: McpServer
  /** What the server says of its use. */
  about: string | null
  /** What tells this configuration from another. */
  digest: string
  /** Starts the server where it does not run. */
  call(args: Record<string, unknown>, options: CallOptions): Promise<CallToolResult>
}

/** A tool of a server as agents get it. */
export function createTool(
  { server, about, digest, call }: ToolDeps,
  tool: ServerTool,
  { id, permission }: NamedTool,
): Tool {
  const { config, scope } = server
  const mayChangeFiles = !tool.readsOnly && config.type === "local" && scope === "user"
  const isHarmless = tool.readsOnly && !tool.isOpen
  // "Always" is for what the tool was then: another program, address or description asks again.
  const version = createHash("sha256")
    .update(JSON.stringify([digest, tool]))
    .digest("hex")
    .slice(0, 12)
  const pattern = `${isHarmless ? "reads" : "calls"} ${version}`
  return {
    id,
    permission,
    origin: {
      ...{ kind: "mcp", name: server.name, tool: tool.name },
      ...(tool.isEager && { isEager: true }),
      ...(about !== null && { about }),
    },
    description: `${tool.description}\n(From the MCP server "${server.name}".)`.trim(),
    parameters: {
      jsonSchema: tool.inputSchema,
      parse: (args: unknown) =>
        typeof args === "object" && args !== null && !Array.isArray(args)
          ? { args }
          : { problems: ["the arguments are an object"] },
    },
    parallel: tool.readsOnly,
    ...(mayChangeFiles && { anyFile: true }),
    ...(tool.longestOutput !== undefined && { longestOutput: tool.longestOutput }),
    async execute(given, context) {
      // `parse` lets only objects through.
      const args = given as Record<string, unknown>
      const { checkArguments } = await import("./check-arguments.ts")
      const problems = checkArguments(tool.inputSchema, args)
      if (problems.length > 0)
        throw new Error([`The ${id} tool was called with invalid arguments:`, ...problems].join("\n"))
      if (!tool.readsOnly) await context.refuseChanges([id])
      await context.ask({
        permission,
        patterns: [pattern],
        always: [pattern],
        metadata: {
          kind: "other",
          title: `${tool.name} of the MCP server “${server.name}”`,
          server: { name: server.name, use: "tool", tool: tool.name, ...saysOf(tool) },
          input: args,
        },
      })
      if (mayChangeFiles) await context.beforeChange()
      const result = await call(args, {
        asker: createAsker(context, { server: server.name, permission, digest: digest.slice(0, 12) }),
        signal: context.signal,
        limits: limitsOf(config, tool),
        onProgress: (told) => context.progress({ title: progressText(told) }),
      })
      const { output, attachments } = await readResult(result, context)
      if (result.isError === true) throw new Error(output === "" ? "The tool failed and said nothing." : output)
      return {
        title: tool.title ?? tool.name,
        output,
        metadata: {},
        ...(attachments.length > 0 && { attachments }),
      }
    },
  }
}

/** ms; timers know no more. */
const longest = 2 ** 31 - 1

function limitsOf({ timeout = usualTimeout, total_timeout: set }: McpServer["config"], { isTask }: ServerTool) {
  const usual = usualTotal.timeouts * timeout
  const total = set ?? (isTask ? Math.max(usual, usualTotal.ofTask) : usual)
  return { silentMs: Math.min(timeout, longest), totalMs: Math.min(total, longest) }
}

/** What people are told before they answer; nobody has checked it. */
function saysOf({ readsOnly, destroys }: ServerTool): { says?: string } {
  if (readsOnly) return { says: "The server says that it only reads." }
  return destroys ? {} : { says: "The server says that it destroys nothing." }
}
