import { readFile, stat } from "node:fs/promises"
import { fileURLToPath } from "node:url"
import type { PromptPart } from "../schema/index.ts"
import { errorText } from "./execute-calls.ts"
import type { NewPart } from "./write-user-message.ts"

/** Attached files larger than this are named, not inlined: the agent reads what it needs. */
const maxInlineBytes = 50 * 1024

/**
 * Turns what the user sent into stored parts. A text file is put in as text that the model reads; one
 * that cannot be read becomes a note, so the prompt itself never fails.
 */
export async function resolvePromptParts(parts: PromptPart[], directory: string): Promise<NewPart[]> {
  const resolved = await Promise.all(parts.map((part) => resolvePart(part, directory)))
  return resolved.flat()
}

async function resolvePart(part: PromptPart, directory: string): Promise<NewPart[]> {
  switch (part.type) {
    case "text":
      return [{ type: "text", text: part.text, ...(part.synthetic && { synthetic: true }) }]
    case "agent":
      return [{ type: "agent", name: part.name }]
    case "subtask":
      return [
        {
          type: "subtask",
          prompt: part.prompt,
          description: part.description,
          agent: part.agent,
          ...(part.model && { model: part.model }),
          ...(part.command !== undefined && { command: part.command }),
        },
      ]
    case "file": {
      const file: NewPart = {
        type: "file",
        mime: part.mime,
        url: part.url,
        ...(part.filename !== undefined && { filename: part.filename }),
      }
      if (!part.url.startsWith("file:")) return [file]
      return [file, { type: "text", synthetic: true, text: await fileText(part.url, part.filename, directory) }]
    }
  }
}

async function fileText(url: string, filename: string | undefined, directory: string): Promise<string> {
  try {
    const path = fileURLToPath(url)
    const name = filename ?? path
    if (!path.startsWith(`${directory}/`) && path !== directory)
      return `The user attached ${name}, which is outside the project; read it if you need it.`
    const info = await stat(path)
    if (info.isDirectory()) return `The user attached the directory ${name}. List it if you need its entries.`
    if (info.size > maxInlineBytes)
      return `The user attached ${name} (${info.size} bytes). Read the parts of it that you need.`
    const bytes = await readFile(path)
    if (bytes.includes(0)) return `The user attached ${name}, which is not a text file.`
    return `The user attached ${name}:\n<file path=${JSON.stringify(name)}>\n${bytes.toString("utf8")}\n</file>`
  } catch (error) {
    return `The user attached ${filename ?? url}, which could not be read: ${errorText(error)}`
  }
}
