import type { OtherMetadata } from "../../ground/schema/tool-metadata.ts"
import { parseArguments } from "./parse-arguments.ts"
import type { Tool, ToolContext, ToolResult } from "./tool.ts"
import { truncateOutput } from "./truncate-output.ts"

/**
 * Runs one tool call: checks what the model sent, executes, and shortens an output that is over 2,000 lines
 * or 51,200 bytes (the full text is saved in `context.outputDirectory`). A tool that sets
 * `metadata.truncated` took care of its output itself. `after` may change the result before that.
 * @throws Error with a text for the model when the arguments are wrong or the tool fails
 */
export async function runTool(
  tool: Tool,
  rawInput: unknown,
  context: ToolContext,
  after: (result: ToolResult) => Promise<ToolResult> = async (result) => result,
): Promise<ToolResult> {
  const args = parseArguments(tool, rawInput)
  context.signal.throwIfAborted()
  const result = await after(await tool.execute(args, context))
  const output = withoutNul(result.output)
  const title = withoutNul(result.title)
  if (typeof result.metadata.truncated === "boolean") return { ...result, title, output }
  const shortened = await truncateOutput(output, { directory: context.outputDirectory, partID: context.partID })
  if (shortened.outputPath === null) return { ...result, title, output }
  const truncation: OtherMetadata = { truncated: true, outputPath: shortened.outputPath }
  return { ...result, title, output: shortened.output, metadata: { ...result.metadata, ...truncation } }
}

/** PostgreSQL stores no NUL character in text or JSON. */
function withoutNul(text: string): string {
  return text.replaceAll("\0", "\uFFFD")
}
