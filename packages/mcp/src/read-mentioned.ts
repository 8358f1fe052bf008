import type { Timers } from "@docket/core/timers"
import type { ReadResourceResult } from "@modelcontextprotocol/client"

/** Characters of a resource that go with a prompt, and ms that the prompt waits for it. */
const most = { characters: 50_000, ms: 10_000 } as const

/** The text of a resource for the model, or why there is none. */
export async function readMentioned(
  { timers }: { timers: Timers },
  { name, uri, signal }: { name: string; uri: string; signal: AbortSignal },
  read: (signal: AbortSignal) => Promise<ReadResourceResult>,
): Promise<string> {
  const late = new AbortController()
  const forget = timers.after(most.ms, () =>
    late.abort(new Error(`It did not come within ${most.ms / 1_000} seconds.`)),
  )
  try {
    const { contents } = await read(AbortSignal.any([signal, late.signal]))
    const texts = contents.map((one) =>
      "text" in one ? one.text : `[${one.mimeType ?? "a file"}; read it with read_mcp_resource]`,
    )
    const text = texts.join("\n")
    const cut = text.length > most.characters ? "\n[It is longer; read the rest with read_mcp_resource.]" : ""
    return `<resource server="${name}" uri="${uri}">\n${text.slice(0, most.characters)}${cut}\n</resource>`
  } catch (error) {
    signal.throwIfAborted()
    const why = late.signal.aborted ? late.signal.reason : error
    return `[The resource ${uri} of the MCP server "${name}" could not be read: ${why instanceof Error ? why.message : String(why)}]`
  } finally {
    forget()
  }
}
