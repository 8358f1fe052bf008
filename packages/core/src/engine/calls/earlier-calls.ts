import type { EarlierCalls } from "../../acts/tool/tool.ts"
import { isCompactionSummary } from "../../ground/store/index.ts"
import type { Transcript } from "../loop/transcript.ts"

export function earlierCalls(transcript: Transcript): EarlierCalls {
  return {
    includes: (messageID) => transcript.get(messageID) !== undefined,
    last(tools) {
      for (const { info, parts } of transcript.all().toReversed()) {
        for (const part of parts.toReversed()) {
          if (part.type !== "tool" || !tools.includes(part.tool) || part.state.status !== "completed") continue
          return { at: part.state.time.start, partID: part.id }
        }
        if (isCompactionSummary(info)) return { at: info.time.created, partID: null }
      }
      return null
    },
  }
}
