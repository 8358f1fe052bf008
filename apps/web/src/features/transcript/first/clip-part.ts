import type { Part, ToolPart } from "@docket/core/schema"

/** Longer strings of a call stand behind its closed header (UTF-16 units): more than titles and previews show. */
const longest = 2_000

/** The part as far as its closed row shows it. What a reader may see at once is left whole: texts, and calls at work. */
export function clipPart(part: Part): Part {
  switch (part.type) {
    case "reasoning":
      return part.time.end === null ? part : withoutProvider({ ...part, text: clip(part.text) })
    case "file":
      return { ...part, url: clip(part.url) }
    case "tool":
      return clipCall(part)
    default:
      return withoutProvider(part)
  }
}

export function clipCall(part: ToolPart): ToolPart {
  const { state } = part
  if (state.status !== "completed" && state.status !== "error") return withoutProvider(part)
  // Of one kind before and after: only strings in it are shorter.
  return withoutProvider({ ...part, state: clipStrings(state) as typeof state })
}

/** Whether something of the part is missing that a page may show. */
export function isClipped(part: Part, clipped: Part): boolean {
  return JSON.stringify(withoutProvider(part)) !== JSON.stringify(clipped)
}

/** What goes back to the provider with the part is nothing to a reader. */
function withoutProvider<P extends Part>(part: P): P {
  if (!("providerMetadata" in part)) return part
  const { providerMetadata: _provider, ...rest } = part
  // The field is optional wherever it is.
  return rest as P
}

function clip(text: string): string {
  return text.length > longest ? text.slice(0, longest) : text
}

function clipStrings(value: unknown): unknown {
  if (typeof value === "string") return clip(value)
  if (Array.isArray(value)) return value.map(clipStrings)
  if (typeof value !== "object" || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([name, field]) => [name, clipStrings(field)]))
}
