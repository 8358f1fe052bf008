import type { ForeignFile, ParsedText } from "@docket/core/session-file"
import { z } from "zod"
import { readClaudeCode } from "./claude-session.ts"
import { readOpenCode } from "./opencode-session.ts"

const OpenCode = z.object({ info: z.object({ id: z.string() }), messages: z.array(z.unknown()) })
const ClaudeLine = z.object({ type: z.enum(["user", "assistant"]), uuid: z.string(), sessionId: z.string() })

/**
 * Reads a session of OpenCode (`opencode export`) or Claude Code (a .jsonl of its projects); null for any other file.
 * @throws DocketError invalid_input
 */
export async function readForeignFile(text: ParsedText): Promise<ForeignFile | null> {
  if (text.kind === "json" && OpenCode.safeParse(text.value).success) {
    return { from: "opencode", ...readOpenCode(text.value) }
  }
  const { values, unread } = text.kind === "lines" ? text : { values: [text.value], unread: 0 }
  if (!values.some((value) => ClaudeLine.safeParse(value).success)) return null
  return { from: "claude-code", ...readClaudeCode(values, unread) }
}
