import { z } from "zod"
import type { Tool } from "./tool.ts"

/** A tool as it is described to a model. `inputSchema` is JSON Schema of an object. */
export interface ToolSchema {
  name: string
  description: string
  inputSchema: Record<string, unknown>
}

/** The tools' names, descriptions and parameters for a model call, in the given order. */
export function toolSchemas(tools: readonly Tool[]): ToolSchema[] {
  return tools
    .filter((tool) => tool.hidden !== true)
    .map((tool) => ({ name: tool.id, description: tool.description, inputSchema: inputSchema(tool) }))
}

// Steps offer the same tools again, and a conversion takes a millisecond.
const converted = new WeakMap<z.ZodType, Record<string, unknown>>()

/** JSON Schema of the arguments before defaults are applied, without the `$schema` field. */
export function inputSchema(tool: Pick<Tool, "parameters">): Record<string, unknown> {
  if ("jsonSchema" in tool.parameters) return tool.parameters.jsonSchema
  const known = converted.get(tool.parameters)
  if (known !== undefined) return known
  const { $schema: _, ...schema } = z.toJSONSchema(tool.parameters, { io: "input" })
  converted.set(tool.parameters, schema)
  return schema
}
