import { DocketError } from "@docket/core/error"
import type { Command, ExpandedPart } from "@docket/core/extension-host"
import { visibleText } from "@docket/core/rule"
import type { McpServer } from "@docket/core/schema"
import type { GetPromptResult } from "@modelcontextprotocol/client"
import { promptHint, readPromptArguments, type ServerPrompt } from "./server-prompt.ts"

/** A prompt of a server as the command `/server:prompt`. */
export function createCommand(
  { name: server, scope, file }: McpServer,
  prompt: ServerPrompt,
  get: (values: Record<string, string>) => Promise<GetPromptResult>,
): Command {
  const name = commandName({ name: server }, prompt)
  const hint = promptHint(prompt)
  return {
    ...{ name, hint, origin: scope, file, agent: null, model: null, subtask: false },
    description: prompt.description.split("\n")[0] ?? "",
    template: "",
    async expand(typed) {
      const read = readPromptArguments(prompt, typed)
      if ("missing" in read) {
        const missing = read.missing.join(", ")
        throw new DocketError(
          "invalid_input",
          `/${name} needs more than that: ${missing}. Write it as /${name} ${hint}`,
        )
      }
      const { messages } = await get(read.values).catch((cause: unknown) => {
        const why = cause instanceof Error ? cause.message : String(cause)
        throw new DocketError("invalid_input", `/${name} was not sent: ${why}`, { cause })
      })
      return messages.flatMap(partsOf)
    },
  }
}

/** How a prompt of a server is typed, without the `/`. */
export function commandName({ name }: Pick<McpServer, "name">, prompt: Pick<ServerPrompt, "name">): string {
  return `${plain(name)}:${plain(prompt.name)}`
}

/** One word that can be typed. */
function plain(name: string): string {
  return name.replace(/[^\p{L}\p{M}\p{N}_.-]/gu, "_").slice(0, 49)
}

function partsOf({ role, content }: GetPromptResult["messages"][number]): ExpandedPart[] {
  // It counts as what the user wrote, who has to see all of it.
  const text = (words: string): ExpandedPart[] => {
    const seen = visibleText(words)
    return [{ type: "text", text: role === "assistant" ? `Answered before:\n${seen}` : seen }]
  }
  const file = (mime: string, data: string, filename: string): ExpandedPart[] => [
    { type: "file", mime, url: `data:${mime};base64,${data}`, filename },
  ]
  switch (content.type) {
    case "text":
      return text(content.text)
    case "image":
    case "audio":
      return file(content.mimeType, content.data, content.type)
    case "resource": {
      const { resource } = content
      if ("text" in resource) return text(`[resource ${resource.uri}]\n${resource.text}`)
      return file(
        resource.mimeType ?? "application/octet-stream",
        resource.blob,
        resource.uri.split("/").at(-1) ?? "file",
      )
    }
    case "resource_link":
      return text(`[resource ${content.name}: ${content.uri}]`)
    default:
      return []
  }
}
