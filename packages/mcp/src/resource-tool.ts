import type { Tool } from "@docket/core/tool"
import type { ReadResourceResult } from "@modelcontextprotocol/client"
import { z } from "zod"
import { readResult } from "./read-result.ts"

/** A place for texts that servers keep. */
export interface ResourceServer {
  name: string
  /** What tells this configuration from another. */
  digest: string
  list(signal: AbortSignal): Promise<ListedResources>
  read(uri: string, signal: AbortSignal): Promise<ReadResourceResult>
}

export interface ListedResources {
  resources: readonly { uri: string; name: string; description?: string | undefined; mimeType?: string | undefined }[]
  /** Addresses with gaps, as `file:///{path}`. */
  templates: readonly { uriTemplate: string; name: string; description?: string | undefined }[]
}

const parameters = z.strictObject({
  server: z.string().min(1).describe("The name of the MCP server"),
  uri: z.string().min(1).max(4_000).optional().describe("The resource; without it those of the server are listed"),
})

/** Entries of a list that a model reads. */
const mostListed = 200

/** `read_mcp_resource`: what servers keep for reading, such as documents and rows. */
export function createResourceTool(servers: readonly ResourceServer[]): Tool<typeof parameters> {
  const names = servers.map(({ name }) => name)
  return {
    id: "read_mcp_resource",
    permission: "read_mcp_resource",
    description: `Reads a resource of an MCP server, or lists what a server has. Servers with resources: ${names.join(", ")}.`,
    parameters,
    parallel: true,
    async execute({ server: named, uri }, context) {
      const server = servers.find(({ name }) => name === named)
      if (server === undefined)
        throw new Error(`No MCP server "${named}" has resources. Those that have: ${names.join(", ")}.`)
      const version = server.digest.slice(0, 12)
      const what = uri === undefined ? "what it has" : uri
      await context.ask({
        permission: "read_mcp_resource",
        // "Always" is for what the server is now: another program or address of the name asks again.
        patterns: [`${named}:${uri ?? "list"} ${version}`],
        always: [`${named}:* ${version}`],
        metadata: {
          kind: "other",
          title: `reads ${what} of the MCP server “${named}”`,
          server: { name: named, use: "resources" },
        },
      })
      if (uri === undefined)
        return { title: `${named}: resources`, output: listText(await server.list(context.signal)), metadata: {} }
      const { contents } = await server.read(uri, context.signal)
      const content = contents.map((resource) => ({ type: "resource" as const, resource }))
      const { output, attachments } = await readResult({ content }, context)
      return { title: uri, output, metadata: {}, ...(attachments.length > 0 && { attachments }) }
    },
  }
}

function listText({ resources, templates }: ListedResources): string {
  const lines = [
    ...resources.map(({ uri, name, description, mimeType }) => `${uri}  ${facts(name, mimeType, description)}`),
    ...templates.map(({ uriTemplate, name, description }) => `${uriTemplate}  ${facts(name, undefined, description)}`),
  ]
  if (lines.length === 0) return "It has no resources."
  const left = lines.length > mostListed ? [`and ${lines.length - mostListed} more`] : []
  return [...lines.slice(0, mostListed), ...left].join("\n")
}

function facts(name: string, mimeType: string | undefined, description: string | undefined): string {
  return [name, mimeType, description?.split("\n")[0]?.slice(0, 200)].filter(Boolean).join(", ")
}
