import type { z } from "zod"
import type { TruncationMetadata } from "./metadata.ts"
import type { Tool, ToolContext, ToolResult } from "./tool.ts"
import { inputSchema } from "./tool-schemas.ts"
import { truncateOutput } from "./truncate-output.ts"

const MAX_ISSUES = 8

/**
 * Runs one tool call: checks what the model sent, executes, and shortens an output that is over 2,000 lines
 * or 51,200 bytes (the full text is saved in `context.outputDirectory`). A tool that sets
 * `metadata.truncated` took care of its output itself.
 * @throws Error with a text for the model when the arguments are wrong or the tool fails
 */
export async function runTool(tool: Tool, rawInput: unknown, context: ToolContext): Promise<ToolResult> {
  const parsed = tool.parameters.safeParse(unwrapJson(rawInput))
  if (!parsed.success) throw new Error(invalidArguments(tool, parsed.error))
  context.signal.throwIfAborted()
  const result = await tool.execute(parsed.data, context)
  const output = withoutNul(result.output)
  const title = withoutNul(result.title)
  if (typeof result.metadata.truncated === "boolean") return { ...result, title, output }
  const shortened = await truncateOutput(output, { directory: context.outputDirectory, partID: context.partID })
  if (shortened.outputPath === null) return { ...result, title, output }
  const truncation: TruncationMetadata = { truncated: true, outputPath: shortened.outputPath }
  return { title, output: shortened.output, metadata: { ...result.metadata, ...truncation } }
}

/** Some models send the arguments as a JSON text, and nothing for a tool without arguments. */
function unwrapJson(input: unknown): unknown {
  if (input === undefined || input === null || input === "") return {}
  if (typeof input !== "string") return input
  try {
    return JSON.parse(input)
  } catch {
    return input
  }
}

/** PostgreSQL stores no NUL character in text or JSON. */
function withoutNul(text: string): string {
  return text.replaceAll("\0", "\uFFFD")
}

function invalidArguments(tool: Tool, error: z.ZodError): string {
  const issues = error.issues.slice(0, MAX_ISSUES).map((issue) => {
    const where = issue.path.length === 0 ? "arguments" : issue.path.map(String).join(".")
    return `- ${where}: ${issue.message}`
  })
  if (error.issues.length > MAX_ISSUES) issues.push(`- and ${error.issues.length - MAX_ISSUES} more`)
  return [
    `The ${tool.id} tool was called with invalid arguments:`,
    ...issues,
    `It expects ${shape(inputSchema(tool))}. Call it again with correct arguments.`,
  ].join("\n")
}

/** A JSON Schema in one line, in TypeScript's notation: `{ filePath: string, offset?: integer }`. */
function shape(schema: unknown): string {
  if (typeof schema !== "object" || schema === null) return "anything"
  if ("enum" in schema && Array.isArray(schema.enum))
    return schema.enum.map((value) => JSON.stringify(value)).join(" | ")
  if ("anyOf" in schema && Array.isArray(schema.anyOf)) return schema.anyOf.map(shape).join(" | ")
  if ("items" in schema) return `[${shape(schema.items)}, …]`
  if ("properties" in schema && typeof schema.properties === "object" && schema.properties !== null) {
    const required = "required" in schema && Array.isArray(schema.required) ? schema.required : []
    const fields = Object.entries(schema.properties).map(
      ([key, value]) => `${key}${required.includes(key) ? "" : "?"}: ${shape(value)}`,
    )
    return fields.length === 0 ? "{}" : `{ ${fields.join(", ")} }`
  }
  return "type" in schema && typeof schema.type === "string" ? schema.type : "anything"
}
