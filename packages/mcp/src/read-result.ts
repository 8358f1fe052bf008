import { isDeepStrictEqual } from "node:util"
import type { ToolContext } from "@docket/core/tool"
import type { CallToolResult, ContentBlock } from "@modelcontextprotocol/client"

type Attachments = Awaited<ReturnType<ToolContext["keepFile"]>>[]

export interface ReadResult {
  output: string
  attachments: Attachments
}

/** Makes of a server's answer what a model reads. Files are kept; what cannot be kept is said in the text. */
export async function readResult(
  { content, structuredContent }: Pick<CallToolResult, "content" | "structuredContent">,
  { keepFile }: Pick<ToolContext, "keepFile">,
): Promise<ReadResult> {
  const attachments: Attachments = []
  const texts: string[] = []
  const keep = async (data: string, mime: string, what: string) => {
    const filename = `${what}-${texts.length + 1}.${(mime.split("/")[1] ?? "bin").replace(/[^\w.-]/g, "")}`
    try {
      attachments.push(await keepFile({ bytes: Buffer.from(data, "base64"), filename }))
      texts.push(`[${what}: ${filename}, ${mime}]`)
    } catch (error) {
      const why = error instanceof Error ? error.message : String(error)
      texts.push(`[The ${what} (${mime}) was left out: it ${why}]`)
    }
  }
  for (const block of content) {
    switch (block.type) {
      case "text":
        texts.push(block.text)
        break
      case "image":
      case "audio":
        await keep(block.data, block.mimeType, block.type)
        break
      case "resource_link":
        texts.push(linkText(block))
        break
      case "resource":
        if ("text" in block.resource) texts.push(`[resource ${block.resource.uri}]\n${block.resource.text}`)
        else await keep(block.resource.blob, block.resource.mimeType ?? "application/octet-stream", "resource")
        break
      default:
        texts.push(`[content of an unknown kind: ${String(Object(block).type)}]`)
    }
  }
  if (structuredContent !== undefined && !isSaid(structuredContent, content))
    texts.push(JSON.stringify(structuredContent, null, 2))
  return { output: texts.join("\n"), attachments }
}

function linkText({ name, uri, mimeType, description }: Extract<ContentBlock, { type: "resource_link" }>): string {
  const facts = [mimeType, description].filter(Boolean).join(", ")
  return `[resource ${name}: ${uri}${facts === "" ? "" : ` (${facts})`}]`
}

/** Whether the blocks say what the structure says, so that a model need not read it twice. */
function isSaid(structure: unknown, content: readonly ContentBlock[]): boolean {
  const inner = Object(structure)
  const [only = "", ...others] = Object.keys(inner)
  // What is no object is wrapped: {"result": …}, {"content": …}.
  const values = others.length === 0 ? [structure, inner[only]] : [structure]
  const written = JSON.stringify(structure)
  return content.some((block) => {
    if (block.type === "image" || block.type === "audio") return written.includes(block.data.slice(0, 1_000))
    if (block.type !== "text") return false
    return values.some((value) => value === block.text || isDeepStrictEqual(value, parsed(block.text)))
  })
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
