import { z } from "zod"
import {
  FileAttachment,
  FileSession,
  MessageWithParts,
  type Session,
  SessionFile,
  type SessionImport,
  sessionFileFormat,
} from "../../ground/schema/index.ts"
import { badFile, problemAt } from "./bad-file.ts"
import type { LeftOut } from "./transfer-service.ts"
import { isTooRich } from "./weigh-json.ts"

/** The content of a file, in Docket's form. */
interface SessionFileContent {
  from: SessionImport["from"]
  file: SessionFile
  /** What is not taken over from the file. */
  left: LeftOut[]
}

/** A session of another program, in Docket's form. */
export interface ForeignFile extends SessionFileContent {
  from: Exclude<SessionImport["from"], "docket">
}

/** Recognises sessions of other programs by their content; null when it is none. @throws DocketError invalid_input */
export type ReadForeignFile = (text: ParsedText) => Promise<ForeignFile | null>

const DocketFormat = z.object({ format: z.literal(sessionFileFormat.format) })

/** Recognises a file by its content. @throws DocketError invalid_input */
export async function readSessionFile(
  bytes: Uint8Array,
  readForeignFile: ReadForeignFile,
  yieldToEventLoop: () => Promise<void>,
): Promise<SessionFileContent> {
  const text = parseText(bytes)
  if (text.kind === "json" && DocketFormat.safeParse(text.value).success)
    return { from: "docket", file: await readDocketFile(text.value, yieldToEventLoop), left: [] }
  const foreign = await readForeignFile(text)
  if (foreign !== null) return foreign
  throw badFile(
    "it is no session of Docket, of OpenCode (opencode export) or of Claude Code (a .jsonl of its projects).",
  )
}

const Head = z.object({ version: z.number() })
const Rows = z.array(z.unknown())
/**
 * A file whose rows are not read yet: each is read on its own, so that other work has its turn between them, and the
 * first wrong one ends the reading. Zod would describe each of a million wrong ones.
 */
const Shell = SessionFile.extend({
  tasks: Rows,
  reviews: z.object({ threads: Rows, comments: Rows, verdicts: Rows, viewed: Rows }),
  sessions: Rows.min(1),
  outputs: Rows,
  attachments: Rows.optional(),
})
const SessionShell = z.object({ session: z.unknown(), todos: Rows, todoChanges: Rows, turns: Rows, messages: Rows })
const MessageShell = z.object({ info: z.unknown(), parts: Rows })
/** Items of all lists in one row, such as the files that a step changed. */
const mostItems = 100_000

/** @throws DocketError invalid_input for a later version, or content that does not match its version */
async function readDocketFile(value: unknown, yieldToEventLoop: () => Promise<void>): Promise<SessionFile> {
  const { version } = Head.safeParse(value).data ?? { version: 0 }
  if (version > sessionFileFormat.version) {
    throw badFile(
      `it is of version ${version}, and this Docket reads up to ${sessionFileFormat.version}. Update Docket first.`,
    )
  }
  const rows = async <T>(values: readonly unknown[], place: string, schema: z.ZodType<T>): Promise<T[]> => {
    const read: T[] = []
    for (const [index, row] of values.entries()) {
      await yieldToEventLoop()
      read.push(readRow(row, `${place}[${index}]`, schema))
    }
    return read
  }
  const shell = readShell(value, "", Shell)
  const sessions: FileSession[] = []
  const { session: Row, todos: Todos, todoChanges: Changes, turns: Turns } = FileSession.shape
  for (const [index, given] of shell.sessions.entries()) {
    const place = `sessions[${index}]`
    const { session, todos, todoChanges, turns, messages } = readShell(given, place, SessionShell)
    sessions.push({
      session: readRow(session, `${place}.session`, Row),
      todos: await rows(todos, `${place}.todos`, Todos.element),
      todoChanges: await rows(todoChanges, `${place}.todoChanges`, Changes.element),
      turns: await rows(turns, `${place}.turns`, Turns.element),
      messages: await readMessages(messages, `${place}.messages`, rows),
    })
  }
  const { tasks: Tasks, reviews: Reviews, outputs: Outputs } = SessionFile.shape
  const { threads, comments, verdicts, viewed } = shell.reviews
  return {
    ...shell,
    sessions,
    tasks: await rows(shell.tasks, "tasks", Tasks.element),
    reviews: {
      threads: await rows(threads, "reviews.threads", Reviews.shape.threads.element),
      comments: await rows(comments, "reviews.comments", Reviews.shape.comments.element),
      verdicts: await rows(verdicts, "reviews.verdicts", Reviews.shape.verdicts.element),
      viewed: await rows(viewed, "reviews.viewed", Reviews.shape.viewed.element),
    },
    outputs: await rows(shell.outputs, "outputs", Outputs.element),
    attachments: shell.attachments && (await rows(shell.attachments, "attachments", FileAttachment)),
  }
}

type ReadRows = <T>(values: readonly unknown[], place: string, schema: z.ZodType<T>) => Promise<T[]>

async function readMessages(values: readonly unknown[], place: string, rows: ReadRows): Promise<MessageWithParts[]> {
  const read: MessageWithParts[] = []
  for (const [index, value] of values.entries()) {
    const at = `${place}[${index}]`
    const { info, parts } = readShell(value, at, MessageShell)
    const { info: Info, parts: Parts } = MessageWithParts.shape
    read.push({ info: readRow(info, `${at}.info`, Info), parts: await rows(parts, `${at}.parts`, Parts.element) })
  }
  return read
}

function readShell<T>(value: unknown, place: string, schema: z.ZodType<T>): T {
  const read = schema.safeParse(value)
  if (!read.success) throw problemAt(place, read.error)
  return read.data
}

function readRow<T>(value: unknown, place: string, schema: z.ZodType<T>): T {
  if (itemsIn(value) > mostItems) throw badFile(`${place} has lists of more than ${mostItems} items.`)
  return readShell(value, place, schema)
}

/** How many items all lists in a value have. */
function itemsIn(value: unknown): number {
  if (typeof value !== "object" || value === null) return 0
  const own = Array.isArray(value) ? value.length : 0
  if (own > mostItems) return own
  return Object.values(value).reduce<number>((sum, one) => sum + itemsIn(one), own)
}

/** The parsed file: one JSON value, or one per line. */
export type ParsedText =
  | { kind: "json"; value: unknown }
  /** `unread` counts the lines that are not JSON. */
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

/** More lines than any session has; a line of one character takes as much memory as one of a hundred. */
const mostLines = 500_000

/** Null when the first line is no JSON value, or there are too many lines. */
function parsedLines(text: string): ParsedText | null {
  let breaks = 0
  for (let at = text.indexOf("\n"); at >= 0; at = text.indexOf("\n", at + 1)) if (++breaks > mostLines) return null
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

/** Parses JSON and drops `__proto__` members. */
function parsed(text: string): unknown {
  return /__proto__|\\u005f/i.test(text)
    ? JSON.parse(text, (key, value) => (key === "__proto__" ? undefined : value))
    : JSON.parse(text)
}

function refuse(error: unknown): never {
  const reason = error instanceof Error ? error.message.slice(0, 200) : String(error)
  throw badFile(`it is no JSON, or breaks off (${reason}).`)
}

/**
 * Checks that a file is one tree: every row has a place in it and a unique id.
 * @throws DocketError invalid_input
 */
export function checkTree(file: SessionFile): void {
  const sessions = new Map(file.sessions.map(({ session }) => [session.id, session]))
  checkIDs(file)
  checkShape(file.rootID, sessions)
  for (const { session, todos, todoChanges, turns, messages } of file.sessions) {
    const requireOwn = (row: { sessionID: string | null }, what: string) => {
      if (row.sessionID !== session.id) throw badFile(`${what} of session ${session.id} names another session.`)
    }
    for (const todo of todos) requireOwn(todo, "a todo")
    for (const change of todoChanges) requireOwn(change, "a change of a todo")
    for (const turn of turns) {
      requireOwn(turn, "a turn")
      requireTree(turn, file)
    }
    for (const { info, parts } of messages) {
      requireOwn(info, "a message")
      for (const part of parts) {
        requireOwn(part, "a part")
        if (part.messageID !== info.id) throw badFile(`the part ${part.id} names another message than ${info.id}.`)
      }
    }
  }
  checkTasks(file, sessions)
  checkReviews(file, sessions)
}

function checkShape(rootID: string, sessions: ReadonlyMap<string, Session>): void {
  const roots = [...sessions.values()].filter(({ parentID }) => parentID === null)
  if (roots.length !== 1) throw badFile(`it has ${roots.length} sessions without a parent; a tree has one.`)
  if (roots[0]?.id !== rootID) throw badFile(`its root is said to be ${rootID}, which is not the one without a parent.`)
  const depths = new Map<string, number>()
  for (const session of sessions.values()) {
    if (session.rootID !== rootID) throw badFile(`the session ${session.id} is of another tree.`)
    if (depthOf(session, sessions, depths) !== session.depth)
      throw badFile(`the session ${session.id} has a wrong depth.`)
  }
}

/** How many ancestors the session has. `depths` is of those that were looked at, so that a long line is walked once. */
function depthOf(session: Session, sessions: ReadonlyMap<string, Session>, depths: Map<string, number>): number {
  const line: Session[] = []
  let at = session
  while (at.parentID !== null && !depths.has(at.id)) {
    line.push(at)
    if (line.length > sessions.size) throw badFile(`the parents of session ${session.id} form a circle.`)
    const parent = sessions.get(at.parentID)
    if (parent === undefined) throw badFile(`the parent of session ${at.id} is not in it.`)
    at = parent
  }
  let depth = depths.get(at.id) ?? 0
  for (const below of line.reverse()) depths.set(below.id, ++depth)
  return depth
}

function checkTasks({ rootID, tasks }: SessionFile, sessions: ReadonlyMap<string, Session>): void {
  const numbers = new Set<number>()
  for (const task of tasks) {
    requireTree(task, { rootID })
    if (!sessions.has(task.sessionID) || !sessions.has(task.parentID))
      throw badFile(`the session of task #${task.number} is not in it.`)
    if (numbers.has(task.number)) throw badFile(`it has two tasks #${task.number}.`)
    numbers.add(task.number)
  }
}

function checkReviews({ rootID, reviews, tasks }: SessionFile, sessions: ReadonlyMap<string, Session>): void {
  const taskIDs = new Set(tasks.map(({ id }) => id))
  const threadIDs = new Set(reviews.threads.map(({ id }) => id))
  const judged = [...reviews.verdicts, ...reviews.viewed]
  for (const row of [...reviews.threads, ...reviews.comments, ...judged]) {
    requireTree(row, { rootID })
    if (!sessions.has(row.sessionID)) throw badFile(`the session of ${row.id} is not in it.`)
  }
  for (const { id, threadID } of reviews.comments)
    if (!threadIDs.has(threadID)) throw badFile(`the thread of comment ${id} is not in it.`)
  for (const { id, taskID } of judged) if (!taskIDs.has(taskID)) throw badFile(`the task of ${id} is not in it.`)
}

function requireTree(row: { id: string; rootID: string }, { rootID }: Pick<SessionFile, "rootID">): void {
  if (row.rootID !== rootID) throw badFile(`${row.id} is of another tree.`)
}

function checkIDs(file: SessionFile): void {
  const seen = new Set<string>()
  for (const id of fileIDs(file)) {
    if (seen.has(id)) throw badFile(`the id ${id} is there twice.`)
    seen.add(id)
  }
}

/** The ids of all rows of a file. */
export function fileIDs({ sessions, tasks, reviews }: SessionFile): string[] {
  const { threads, comments, verdicts, viewed } = reviews
  return [
    ...sessions.flatMap(({ session, todos, todoChanges, turns, messages }) => [
      ...[session, ...todos, ...todoChanges, ...turns].map(({ id }) => id),
      ...messages.flatMap(({ info, parts }) => [info.id, ...parts.map(({ id }) => id)]),
    ]),
    ...[...tasks, ...threads, ...comments, ...verdicts, ...viewed].map(({ id }) => id),
  ]
}
