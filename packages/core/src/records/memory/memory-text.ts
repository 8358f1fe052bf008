import type { Memory } from "../../ground/schema/index.ts"

/** Characters of an entry's content shown in a list. */
const excerptLength = 200

/** `- #281 [project] Q3 observability rollout — initial brief` */
export function memoryLine({ number, type, title, source, agent }: Memory): string {
  const from = source || agent
  return `- #${number} [${type}] ${title}${from ? ` — ${from}` : ""}`
}

/** One line per entry followed by the beginning of its content, for a model to choose from. */
export function memoryList(memories: readonly Memory[]): string {
  if (memories.length === 0) return "(no memory entries)"
  return memories.map((memory) => [memoryLine(memory), ...excerpt(memory.content)].join("\n")).join("\n")
}

/** The whole entry. */
export function memoryText(memory: Memory): string {
  const notes = [
    memory.tags.length > 0 ? `Tags: ${memory.tags.join(", ")}` : null,
    memory.invalidatedAt === null ? null : `No longer holds since ${new Date(memory.invalidatedAt).toISOString()}.`,
  ]
  return [memoryLine(memory), ...notes, memory.content].filter((line) => line !== null && line !== "").join("\n")
}

function excerpt(content: string): string[] {
  const line = content.replace(/\s+/g, " ").trim()
  if (line === "") return []
  return [`  ${line.length > excerptLength ? `${line.slice(0, excerptLength)}…` : line}`]
}
