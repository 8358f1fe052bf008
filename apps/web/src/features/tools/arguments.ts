import type { ToolPart } from "@docket/core/schema"

/** Arguments as the model wrote them, possibly incomplete. A missing argument is null, never an error. */
function argument({ state: { input } }: ToolPart, name: string): unknown {
  // Narrowed to an object; its values stay unknown.
  return typeof input === "object" && input !== null ? (input as Record<string, unknown>)[name] : null
}

export function textArgument(part: ToolPart, name: string): string | null {
  const value = argument(part, name)
  return typeof value === "string" && value !== "" ? value : null
}

export function listArgument(part: ToolPart, name: string): unknown[] | null {
  const value = argument(part, name)
  return Array.isArray(value) ? value : null
}

export function numberArgument(part: ToolPart, name: string): number | null {
  const value = argument(part, name)
  return typeof value === "number" ? value : null
}
