import type { Part, ToolPart } from "@docket/core/schema"

/** Longest string of a closed tool call (UTF-16 units): more than titles and previews show. */
const longest = 2_000

/** The part, shortened to what its closed row shows. Texts and running calls are visible at once and stay complete. */
export function clipPart(part: Part): Part {
  switch (part.type) {
    case "reasoning":
      return part.time.end === null ? part : withoutProvider({ ...part, text: clip(part.text) })
    case "file":
      return withoutProvider({ ...part, url: clip(part.url) })
    case "tool":
      return clipCall(part)
    default:
      return withoutProvider(part)
  }
}

export function clipCall(part: ToolPart): ToolPart {
  const { state } = part
  if (state.status !== "completed" && state.status !== "error") return withoutProvider(part)
  // The kind of state stays the same: only the strings in it become shorter.
  return withoutProvider({ ...part, state: clipStrings(state) as typeof state })
}

/** Whether clipping removed something that the page can show. */
export function isClipped(part: Part, clipped: Part): boolean {
  return JSON.stringify(withoutProvider(part)) !== JSON.stringify(clipped)
}

/** Removes provider metadata: it is only sent back to the provider, and readers never see it. */
function withoutProvider<P extends Part>(part: P): P {
  if (!("providerMetadata" in part)) return part
  const { providerMetadata: _provider, ...rest } = part
  // Every kind of part declares the field as optional.
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
