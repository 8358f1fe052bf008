import { z } from "zod"
import { maxNesting, nesting } from "../../acts/tool/parse-json.ts"
import type { ToolContext, ToolResult } from "../../acts/tool/tool.ts"

/** The limits that the child keeps, unless the tool speaks for it. */
const withinChars = (most: number) => (value: unknown) => JSON.stringify(value).length <= most
const Metadata = z.record(z.string(), z.unknown()).refine(withinChars(16_000)).optional().catch(undefined)
const Attachment = z.object({ mime: z.string().max(100), url: z.string(), filename: z.string().max(300).optional() })

/** What a tool of a file gives back. */
export const ToolFileResult = z.object({
  title: z.string().max(300).optional(),
  output: z.string().max(2_000_100),
  metadata: Metadata,
  attachments: z.array(Attachment).max(10).optional(),
})
export type ToolFileResult = z.infer<typeof ToolFileResult>

/** What a running call shows of itself. */
export const ShownOfCall = ToolFileResult.pick({ title: true, metadata: true })
export type ShownOfCall = z.infer<typeof ShownOfCall>

/** What models are told of a tool. */
export const ToolDescription = z.object({
  description: z.string().max(4_000),
  schema: z.record(z.string(), z.unknown()).refine(withinChars(64_000)),
})

/** What a running call asks people. */
export const ToolQuestion = z.object({
  permission: z.string().regex(/^[\w.-]{1,64}$/),
  patterns: z.array(z.string().max(1_000)).min(1).max(50),
  always: z.array(z.string().max(1_000)).max(50).default([]),
})
export type ToolQuestion = z.infer<typeof ToolQuestion>

/** Characters of attachments that a call returns, together. */
const longestAttachments = 8_000_000

/** Below a key of its own, what a tool reports can be taken for nothing that Docket records of a call. */
export function ownMetadata(shown: Record<string, unknown> | undefined): Record<string, unknown> {
  if (shown === undefined || nesting(JSON.stringify(shown)) > maxNesting) return {}
  return { custom: shown }
}

/** What the model and the card get of a result. */
export function resultOfFile(
  id: string,
  { title = id, output, metadata, attachments = [] }: ToolFileResult,
): ToolResult {
  let left = longestAttachments
  const kept = attachments.filter(({ url }) => {
    left -= url.length
    return url.startsWith("data:") && left >= 0
  })
  const note =
    kept.length < attachments.length ? "\n[Attachments that are no data: addresses, or too large, are left out.]" : ""
  const files = kept.map(({ mime, url, filename }) => ({ mime, url, ...(filename !== undefined && { filename }) }))
  return {
    title,
    output: output + note,
    metadata: ownMetadata(metadata),
    ...(files.length > 0 && { attachments: files }),
  }
}

/** What a tool is told of its call. */
export function factsOfCall({ sessionID, messageID, agent, directory, worktree }: ToolContext) {
  return { sessionID, messageID, agent, directory, worktree }
}

/**
 * Asks people what a running call asks. Whatever the tool calls it, only its own permission is asked for: "always" grants
 * nothing of another tool.
 */
export async function askForTool(
  context: Pick<ToolContext, "ask">,
  { id, permission }: { id: string; permission: string },
  { permission: asked, patterns, always }: ToolQuestion,
): Promise<void> {
  const own = (pattern: string) => `${asked}:${pattern}`
  await context.ask({
    permission,
    patterns: patterns.map(own),
    always: always.map(own),
    metadata: { kind: "other", title: `${id} asks for ${asked}` },
  })
}
