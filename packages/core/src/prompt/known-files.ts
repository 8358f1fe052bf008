import type { MessageWithParts, ToolPart } from "../schema/index.ts"
import type { TranscriptStore } from "../store/index.ts"
import { SeenFile } from "../tool/metadata.ts"
import type { KnownFiles } from "../tool/tool.ts"
import type { Transcript } from "./transcript.ts"

/** Messages that are read at once, going back beyond a compaction. */
const pageSize = 200
/** Tools whose result shows the model a file, or is a file as the model wants it. */
const fileTools = ["read", "edit", "write"]

export interface KnownFilesDeps {
  store: { transcript: Pick<TranscriptStore, "page"> }
  transcript: Transcript
  sessionID: string
}

/**
 * What a session knows of files, for the calls of one answer. It follows from the stored calls of the session, also
 * of those before a compaction, so that a restart forgets nothing and an undo leaves nothing behind.
 */
export function createKnownFiles({ store, transcript, sessionID }: KnownFilesDeps): KnownFiles {
  const written = new Map<string, string>()
  return {
    async version(file, messageID) {
      const own = written.get(file)
      if (own !== undefined) return own
      const messages = transcript.all()
      const recent = lastSeen(messages, file, messageID)
      if (recent !== null) return recent
      let before = isSummary(messages[0]) ? messages[0]?.info.id : undefined
      while (before !== undefined) {
        const page = await store.transcript.page({ sessionID, before, limit: pageSize })
        const seen = lastSeen(page.items, file, messageID)
        if (seen !== null) return seen
        before = page.before ?? undefined
      }
      return null
    },
    wrote: (file, version) => void written.set(file, version),
  }
}

function isSummary(message: MessageWithParts | undefined): boolean {
  return message?.info.role === "assistant" && message.info.summary === true
}

/** The version that the newest call on the file saw. A read in the answer that is being carried out was not seen yet. */
function lastSeen(messages: MessageWithParts[], file: string, messageID: string): string | null {
  for (const { info, parts } of messages.toReversed()) {
    for (const part of parts.toReversed()) {
      if (part.type !== "tool" || !fileTools.includes(part.tool)) continue
      if (part.tool === "read" && info.id === messageID) continue
      const seen = seenFile(part)
      if (seen?.file === file) return seen.version
    }
  }
  return null
}

function seenFile({ state }: ToolPart): SeenFile | null {
  if (state.status !== "completed") return null
  return SeenFile.safeParse(state.metadata).data ?? null
}
