import { z } from "zod"
import { type SessionFile, type SessionImport, sessionFileFormat } from "../../ground/schema/index.ts"
import { badFile } from "./bad-file.ts"
import { readClaudeCode } from "./foreign/claude-code.ts"
import { readOpenCode } from "./foreign/opencode.ts"
import { parseText } from "./parse-text.ts"
import { readDocketFile } from "./read-docket-file.ts"
import type { LeftOut } from "./transfer-service.ts"

/** What a file says, in Docket's form. */
export interface ReadFile {
  from: SessionImport["from"]
  file: SessionFile
  left: LeftOut[]
}

const Docket = z.object({ format: z.literal(sessionFileFormat.format) })
const OpenCode = z.object({ info: z.object({ id: z.string() }), messages: z.array(z.unknown()) })
const ClaudeLine = z.object({ type: z.enum(["user", "assistant"]), uuid: z.string(), sessionId: z.string() })

/** Knows a file by its content. @throws DocketError invalid_input */
export async function readSessionFile(bytes: Uint8Array, breathe: () => Promise<void>): Promise<ReadFile> {
  const text = parseText(bytes)
  if (text.kind === "json") {
    if (Docket.safeParse(text.value).success)
      return { from: "docket", file: await readDocketFile(text.value, breathe), left: [] }
    if (OpenCode.safeParse(text.value).success) return { from: "opencode", ...readOpenCode(text.value) }
  }
  const { values, unread } = text.kind === "lines" ? text : { values: [text.value], unread: 0 }
  if (values.some((value) => ClaudeLine.safeParse(value).success))
    return { from: "claude-code", ...readClaudeCode(values, unread) }
  throw badFile(
    "it is no session of Docket, of OpenCode (opencode export) or of Claude Code (a .jsonl of its projects).",
  )
}
