import { z } from "zod"
import {
  FileSession,
  MessageWithParts,
  SessionFile,
  type SessionImport,
  sessionFileFormat,
} from "../../ground/schema/index.ts"
import { badFile, problemAt } from "./bad-file.ts"
import type { LeftOut } from "./transfer-service.ts"
import { isTooRich } from "./weigh-json.ts"

/** What a file says, in Docket's form. */
interface ReadFile {
  from: SessionImport["from"]
  file: SessionFile
  left: LeftOut[]
}

/** A session of another program, in Docket's form. */
export interface ForeignFile extends ReadFile {
  from: Exclude<SessionImport["from"], "docket">
}

/** Knows sessions of other programs by their content; null for what is none. @throws DocketError invalid_input */
export type ReadForeignFile = (text: ParsedText) => Promise<ForeignFile | null>

const Docket = z.object({ format: z.literal(sessionFileFormat.format) })

/** Knows a file by its content. @throws DocketError invalid_input */
export async function readSessionFile(
  bytes: Uint8Array,
  readForeignFile: ReadForeignFile,
  yieldToEventLoop: () => Promise<void>,
): Promise<ReadFile> {
  const text = parseText(bytes)
  if (text.kind === "json" && Docket.safeParse(text.value).success)
    return { from: "docket", file: await readDocketFile(text.value, yieldToEventLoop), left: [] }
  const foreign = await readForeignFile(text)
  if (foreign !== null) return foreign
  throw badFile(
    "it is no session of Docket, of OpenCode (opencode export) or of Claude Code (a .jsonl of its projects).",
  )
}

const Head = z.object({ version: z.number() })
const Shell = SessionFile.extend({
  sessions: z.array(FileSession.extend({ messages: z.array(z.unknown()) })).min(1),
})

/** @throws DocketError invalid_input for a file of a later version, or one that is not as its version has it */
async function readDocketFile(value: unknown, yieldToEventLoop: () => Promise<void>): Promise<SessionFile> {
  const { version } = Head.safeParse(value).data ?? { version: 0 }
  if (version > sessionFileFormat.version) {
    throw badFile(
      `it is of version ${version}, and this Docket reads up to ${sessionFileFormat.version}. Update Docket first.`,
    )
  }
  const shell = Shell.safeParse(value)
  if (!shell.success) throw problemAt("", shell.error)
  const sessions: FileSession[] = []
  for (const [index, session] of shell.data.sessions.entries()) {
    const messages: MessageWithParts[] = []
    for (const [nth, message] of session.messages.entries()) {
      await yieldToEventLoop()
      const read = MessageWithParts.safeParse(message)
      if (!read.success) throw problemAt(`sessions[${index}].messages[${nth}]`, read.error)
      messages.push(read.data)
    }
    sessions.push({ ...session, messages })
  }
  return { ...shell.data, sessions }
}

/** What a file holds: one JSON value, or one on each line. */
export type ParsedText =
  | { kind: "json"; value: unknown }
  /** `unread` lines are no JSON. */
  | { kind: "lines"; values: unknown[]; unread: number }

/** @throws DocketError invalid_input */
function parseText(bytes: Uint8Array): ParsedText {
  if (isTooRich(bytes)) throw badFile("it holds more records within records than any session has.")
  const text = new TextDecoder().decode(bytes)
  if (text.trim() === "") throw badFile("it is empty.")
  try {
    return { kind: "json", value: parsed(text) }
  } catch (error) {
    return parsedLines(text) ?? refuse(error)
  }
}

/** Null when the first line is no value of its own. */
function parsedLines(text: string): ParsedText | null {
  const lines = text.split("\n").filter((line) => line.trim() !== "")
  const values: unknown[] = []
  let unread = 0
  for (const [index, line] of lines.entries()) {
    try {
      values.push(parsed(line))
    } catch {
      if (index === 0) return null
      unread += 1
    }
  }
  return { kind: "lines", values, unread }
}

/** JSON whose records have no member that stands for their prototype. */
function parsed(text: string): unknown {
  return /__proto__|\\u005f/i.test(text)
    ? JSON.parse(text, (key, value) => (key === "__proto__" ? undefined : value))
    : JSON.parse(text)
}

function refuse(error: unknown): never {
  const reason = error instanceof Error ? error.message.slice(0, 200) : String(error)
  throw badFile(`it is no JSON, or breaks off (${reason}).`)
}
