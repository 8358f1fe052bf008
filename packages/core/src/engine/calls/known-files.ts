import type { KnownFiles } from "../../acts/tool/tool.ts"
import type { MessageWithParts, Part, ToolPart } from "../../ground/schema/index.ts"
import { changesFiles, readCallEnd, readFileChanges, readToolCall } from "../../ground/schema/read-tool-call.ts"
import type { TranscriptStore } from "../../ground/store/index.ts"
import type { Transcript } from "../loop/transcript.ts"

/** Messages read at once; older pages go back beyond a compaction. */
const pageSize = 200
export interface KnownFilesDeps {
  store: { transcript: Pick<TranscriptStore, "page"> }
  transcript: Transcript
  sessionID: string
}

/**
 * The file versions that a session knows, for the calls of one answer. They are derived from the stored calls of the
 * session, including those before a compaction, so a restart forgets nothing and an undo leaves nothing behind.
 */
export function createKnownFiles({ store, transcript, sessionID }: KnownFilesDeps): KnownFiles {
  const written = new Map<string, string>()
  return {
    async versions(file, messageID) {
      const own = written.get(file)
      if (own !== undefined) return [own]
      const messages = transcript.all()
      const recent = lastSeen(messages, file, messageID)
      if (recent.length > 0) return recent
      let before = isSummary(messages[0]) ? messages[0]?.info.id : undefined
      while (before !== undefined) {
        const page = await store.transcript.page({ sessionID, before, limit: pageSize })
        const seen = lastSeen(page.items, file, messageID)
        if (seen.length > 0) return seen
        before = page.before ?? undefined
      }
      return []
    },
    wrote: (file, version) => void written.set(file, version),
  }
}

function isSummary(message: MessageWithParts | undefined): boolean {
  return message?.info.role === "assistant" && message.info.summary === true
}

/**
 * The versions that the calls of the newest answer on the file saw. These calls run in parallel, so the last one in
 * order is not always the last writer. A read in the current answer does not count, because the model has not seen its
 * result yet.
 */
function lastSeen(messages: MessageWithParts[], file: string, messageID: string): string[] {
  for (const { info, parts } of messages.toReversed()) {
    const cut = cutCalls(parts)
    const seen = parts.flatMap((part) => {
      if (part.type !== "tool" || (part.tool !== "read" && !changesFiles(part.tool))) return []
      if (part.tool === "read" && cut.has(part.id)) return []
      // What a call of this answer showed, the model has not read when it wrote the answer.
      const isShown = part.tool === "read" || part.state.status === "error"
      if (isShown && info.id === messageID) return []
      return seenFiles(part).flatMap((found) => (found.file === file ? [found.version] : []))
    })
    if (seen.length > 0) return seen
  }
  return []
}

/** Calls of batches whose output the model has only read in part. */
function cutCalls(parts: readonly Part[]): Set<string> {
  const cut = parts.flatMap((part) => {
    if (part.type !== "tool" || part.tool !== "batch" || part.state.status !== "completed") return []
    const call = readToolCall(part)
    const calls = call.tool === "batch" ? (call.metadata?.calls ?? []) : []
    return calls.flatMap(({ partID, cut: isCut }) => (isCut && partID !== undefined ? [partID] : []))
  })
  return new Set(cut)
}

/** The files that a call showed or wrote, and their versions then. Calls on directories have no version. */
function seenFiles(part: ToolPart): { file: string; version: string }[] {
  const shown = readCallEnd(part).seen
  if (shown !== undefined) return [shown]
  if (part.state.status !== "completed") return []
  const call = readToolCall(part)
  const files = call.tool === "read" ? [call.metadata] : (readFileChanges(part) ?? [])
  return files.flatMap((found) => (found?.version === undefined ? [] : [{ file: found.file, version: found.version }]))
}
