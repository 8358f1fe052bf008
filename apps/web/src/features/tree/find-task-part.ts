import type { TranscriptWindow } from "@docket/client"
import type { Session, ToolPart } from "@docket/core/schema"

/** The call in the parent that started this session, if it is loaded in the parent's transcript. */
export function findTaskPart(
  session: Session,
  transcripts: Readonly<Record<string, TranscriptWindow>>,
): ToolPart | null {
  const { origin, parentID } = session
  if (origin === null || parentID === null) return null
  const message = transcripts[parentID]?.messages.find((entry) => entry.info.id === origin.messageID)
  const part = message?.parts.find((candidate) => candidate.type === "tool" && candidate.callID === origin.callID)
  return part?.type === "tool" ? part : null
}
