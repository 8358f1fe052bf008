import type { Transcript } from "../loop/transcript.ts"
import { isCompactionSummary } from "../store/index.ts"
import type { EarlierCalls } from "../tool/tool.ts"

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
