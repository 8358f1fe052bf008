import { isPicture } from "../../ground/media/media-type.ts"
import { attachedHash, type MessageWithParts, type Part } from "../../ground/schema/index.ts"
import type { ProgramPromptPart } from "./agent-programs.ts"

/** Characters of what was said before that a program is told; of a longer conversation it reads the end. */
const longestTold = 200_000
/** Characters of a call's output in it. */
const longestOutput = 500

export interface ProgramPrompt {
  parts: ProgramPromptPart[]
  /** It tells, as text, what was said before. */
  tells: boolean
}

interface PromptOptions {
  /** The program's own id of its conversation: it knows what was said until its last answer in it. */
  conversation: string
  takesPictures: boolean
  /** The content of a kept file; null when it is gone. */
  read(hash: string): Promise<Uint8Array | null>
}

/** What a program does not know yet of a session: the prompts since its last answer, and what others did before them. */
export async function programPrompt(
  messages: readonly MessageWithParts[],
  options: PromptOptions,
): Promise<ProgramPrompt> {
  const last = messages.findLastIndex(
    ({ info }) => info.role === "assistant" && info.program?.conversation === options.conversation,
  )
  const unknown = messages.slice(last + 1)
  const answered = unknown.findLastIndex(({ info }) => info.role === "assistant")
  const earlier = unknown.slice(0, answered + 1)
  const prompts = unknown.slice(answered + 1)
  const parts = (
    await Promise.all(prompts.flatMap((message) => message.parts.map((part) => promptPart(part, options))))
  ).flat()
  if (earlier.length === 0) return { parts, tells: false }
  return { parts: [{ type: "text", text: toldText(earlier) }, ...parts], tells: true }
}

async function promptPart(part: Part, options: PromptOptions): Promise<ProgramPromptPart[]> {
  switch (part.type) {
    case "text":
      return part.text === "" ? [] : [{ type: "text", text: part.text }]
    case "agent":
      return [{ type: "text", text: `@${part.name}` }]
    case "file": {
      const hash = attachedHash(part.url)
      const bytes = hash !== null && options.takesPictures && isPicture(part.mime) ? await options.read(hash) : null
      if (bytes !== null) return [{ type: "picture", mime: part.mime, base64: Buffer.from(bytes).toString("base64") }]
      return [{ type: "text", text: `[file ${part.filename ?? part.mime}]` }]
    }
    default:
      return []
  }
}

/** A conversation as text. */
function toldText(messages: readonly MessageWithParts[]): string {
  const said = messages.map(({ info, parts }) => {
    const lines = parts.flatMap(toldPart)
    return lines.length === 0 ? "" : `${info.role === "user" ? "User" : `Agent ${info.agent}`}:\n${lines.join("\n")}`
  })
  const text = said.filter((one) => one !== "").join("\n\n")
  const shown = text.length > longestTold ? `…${text.slice(-longestTold)}` : text
  return `<earlier-conversation>\nThis was said and done in this session before you began. It is told for you to know; the request follows it.\n\n${shown}\n</earlier-conversation>`
}

function toldPart(part: Part): string[] {
  switch (part.type) {
    case "text":
      return part.text === "" ? [] : [part.text]
    case "tool": {
      const { state } = part
      if (state.status === "pending" || state.status === "running") return [`[${part.tool}, not ended]`]
      const text = state.status === "completed" ? state.output : state.error
      const output = text.length > longestOutput ? `${text.slice(0, longestOutput)}…` : text
      return [`[${part.tool} ${state.title ?? ""}: ${state.status === "completed" ? "done" : "failed"}]\n${output}`]
    }
    default:
      return []
  }
}
