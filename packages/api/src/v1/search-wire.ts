import type { SearchHit } from "@docket/core"
import { searchKinds } from "@docket/core/query"
import { z } from "zod"

/** A hit as `/v1/search` shows it. The time is epoch seconds; `marks` count UTF-16 units of `text`. */
export const WireHit = z.object({
  kind: z.enum(searchKinds),
  at: z.number().int(),
  session_id: z.string(),
  root_id: z.string(),
  title: z.string(),
  agent: z.string(),
  message_id: z.string().nullable(),
  part_id: z.string().nullable(),
  tool: z.string().nullable(),
  status: z.string().nullable(),
  text: z.string(),
  marks: z.array(z.object({ start: z.number().int(), end: z.number().int() })),
})
export type WireHit = z.infer<typeof WireHit>

export function toWireHit({ kind, at, session, part, excerpt }: SearchHit): WireHit {
  return {
    kind,
    at: Math.floor(at / 1_000),
    session_id: session.id,
    root_id: session.rootID,
    title: session.title,
    agent: session.agent,
    message_id: part?.messageID ?? null,
    part_id: part?.id ?? null,
    tool: part?.tool ?? null,
    status: part?.state ?? null,
    text: excerpt.text,
    marks: excerpt.marks,
  }
}
