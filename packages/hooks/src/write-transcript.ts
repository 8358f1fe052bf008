import { randomUUID } from "node:crypto"
import { mkdir, rename, rm, writeFile } from "node:fs/promises"
import path from "node:path"
import type { MessageWithParts, Part, Session } from "@docket/core/schema"
import { toClaudeCall } from "./claude-call.ts"

/** Where the transcripts of a tree lie. */
export function transcriptDirectory(dataDirectory: string, { rootID }: Pick<Session, "rootID">): string {
  return path.join(dataDirectory, "hook-transcripts", rootID)
}

export function transcriptFile(dataDirectory: string, session: Pick<Session, "id" | "rootID">): string {
  return path.join(transcriptDirectory(dataDirectory, session), `${session.id}.jsonl`)
}

/** What each file was written from: the number of messages, and the last one. */
const written = new Map<string, string>()
/** Files that are remembered. */
const mostKnown = 1_000

/**
 * Writes what a session said since its last summary, in the form of Claude Code's transcripts (JSON lines), unless the file
 * says so already. An answer that is still being written is left out. Without messages it stays as it is.
 */
export async function writeTranscript(
  dataDirectory: string,
  session: Session,
  messages: readonly MessageWithParts[] | null,
): Promise<void> {
  const directory = transcriptDirectory(dataDirectory, session)
  const file = transcriptFile(dataDirectory, session)
  if (messages === null) {
    await mkdir(directory, { recursive: true, mode: 0o700 })
    await writeFile(file, "", { flag: "a", mode: 0o600 })
    return
  }
  const whole = messages.filter(({ info }) => info.role === "user" || info.time.completed !== null)
  const state = `${whole[0]?.info.id} ${whole.length} ${whole.at(-1)?.info.id}`
  if (written.get(file) === state) return
  await mkdir(directory, { recursive: true, mode: 0o700 })
  const lines = whole.flatMap((message) => linesOf(session, message))
  // A hook that reads meanwhile sees the old file or the new one.
  const fresh = `${file}.${randomUUID()}.tmp`
  await writeFile(fresh, lines.map((line) => `${JSON.stringify(line)}\n`).join(""), { mode: 0o600 })
  await rename(fresh, file)
  if (written.size >= mostKnown) written.clear()
  written.set(file, state)
}

/** A message as Claude Code keeps it; the results of an answer's calls are a message of the user. */
function linesOf(session: Session, { info, parts }: MessageWithParts): object[] {
  const base = {
    isSidechain: session.parentID !== null,
    userType: "external",
    cwd: session.directory,
    sessionId: session.rootID,
    timestamp: new Date(info.time.created).toISOString(),
  }
  if (info.role === "user") {
    const content = parts.flatMap((part) => (part.type === "text" ? [{ type: "text", text: part.text }] : []))
    return [{ ...base, type: "user", uuid: info.id, parentUuid: null, message: { role: "user", content } }]
  }
  const content = parts.flatMap((part) => saidIn(part, session.directory))
  const results = parts.flatMap(resultOf)
  const { parentID: parentUuid, model } = info
  const usage = { input_tokens: info.tokens.input, output_tokens: info.tokens.output }
  const message = { id: info.id, type: "message", role: "assistant", model: model.modelID, content, usage }
  const answer = { ...base, type: "assistant", uuid: info.id, parentUuid, message }
  if (results.length === 0) return [answer]
  const given = { role: "user", content: results }
  return [answer, { ...base, type: "user", uuid: `${info.id}-results`, parentUuid: info.id, message: given }]
}

function saidIn(part: Part, directory: string): object[] {
  if (part.type === "text") return [{ type: "text", text: part.text }]
  if (part.type === "reasoning") return [{ type: "thinking", thinking: part.text }]
  if (part.type !== "tool") return []
  const { input: args } = part.state
  const isObject = typeof args === "object" && args !== null && !Array.isArray(args)
  const call = toClaudeCall({ tool: part.tool, args: isObject ? { ...args } : {} }, directory)
  return [{ type: "tool_use", id: part.callID, name: call.names[0], input: call.input }]
}

function resultOf(part: Part): object[] {
  if (part.type !== "tool") return []
  const { callID: tool_use_id, state } = part
  if (state.status === "completed") return [{ type: "tool_result", tool_use_id, content: state.output }]
  if (state.status === "error") return [{ type: "tool_result", tool_use_id, content: state.error, is_error: true }]
  return []
}

/** Removes what was written of a tree. */
export async function removeTranscripts(dataDirectory: string, session: Pick<Session, "rootID">): Promise<void> {
  await rm(transcriptDirectory(dataDirectory, session), { recursive: true, force: true })
}
