import { randomBytes } from "node:crypto"
import { createYield } from "../../ground/concurrency/yield-to-event-loop.ts"
import { DocketError } from "../../ground/error/docket-error.ts"
import type { Journal } from "../../ground/event/journal.ts"
import { idAt } from "../../ground/id/create-id.ts"
import { idTime } from "../../ground/id/id-time.ts"
import { plainWords } from "../../ground/message/inert-markdown.ts"
import { messageText, sessionHead } from "../../ground/message/session-markdown.ts"
import { formatCost, formatTokens, totalTokens } from "../../ground/message/usage.ts"
import {
  type Caller,
  type FileSession,
  type FileTurn,
  type IdKind,
  idPrefix,
  importedCaller,
  importedPerson,
  type MessageWithParts,
  type Part,
  type Project,
  type ReviewComment,
  type ReviewThread,
  type Session,
  type SessionFile,
  type SessionVisibility,
  sessionFileFormat,
  type Task,
} from "../../ground/schema/index.ts"
import type { Store } from "../../ground/store/index.ts"
import type { Attachments } from "../attachment/create-attachments.ts"
import { shortTitle } from "../session/session-title.ts"
import type { ShareScanSources } from "../share/share-scan.ts"
import { badFile } from "./bad-file.ts"
import { takeContents } from "./file-contents.ts"
import { maxImportBytes } from "./import-limit.ts"
import { checkTree, fileIDs, type ReadForeignFile, readSessionFile } from "./read-session-file.ts"
import { type FileTree, type ReadTreeDeps, readFileTree, withinTree } from "./read-tree.ts"
import { sanitizedTree } from "./sanitized-tree.ts"
import type { TransferService } from "./transfer-service.ts"
import { fileTitle, treeMutations } from "./tree-mutations.ts"

export interface TransfersDeps {
  store: Store
  journal: Journal
  clock: () => number
  sessionByID(id: string): Promise<Session>
  projectByID(id: string): Promise<Project>
  /** The agent to lead the session in the project: the named one if it may lead, else the default. */
  leadAgent(project: Project, name: string): Promise<string>
  secretsOf(rootID: string): Promise<ShareScanSources>
  /** The visibility of imported sessions. */
  usualVisibility(): SessionVisibility
  attachments: Pick<Attachments, "read" | "importing">
  outputs: ReadTreeDeps["outputs"] & {
    pathOf(call: { sessionID: string; id: string }): string
    keep(call: { sessionID: string; id: string; rootID: string }, text: string): Promise<void>
  }
  readForeignFile: ReadForeignFile
  onError(error: unknown): void
}

/** Exports trees to files and imports them. */
export function createTransfers(deps: TransfersDeps, caller: Caller): TransferService {
  return {
    async export(sessionID, { format, sanitize }) {
      const { rootID } = await deps.sessionByID(sessionID)
      const tree = sanitize
        ? await sanitizedTree(deps.store, rootID, await deps.secretsOf(rootID))
        : await readFileTree(deps, rootID)
      return format === "json" ? writeJson(tree) : writeMarkdown(tree)
    },
    async import(bytes, { projectID, newIDs = false }) {
      if (bytes.length > maxImportBytes) throw badFile(`it is larger than ${maxImportBytes / 1024 / 1024} MiB.`)
      const project = await deps.projectByID(projectID)
      const { from, file: read, left } = await readSessionFile(bytes, deps.readForeignFile, createYield())
      checkTree(read)
      const now = deps.clock()
      const { file: bare, contents } = await takeContents(
        newIDs ? withNewIDs(read, now) : withoutFutureIDs(read, now),
        deps.clock,
      )
      const file = withinTree(withImportedPeople(bare))
      const [root] = file.sessions.filter(({ session }) => session.parentID === null)
      if (root === undefined) throw badFile("it has no session without a parent.")
      const todos = file.sessions.reduce((sum, session) => sum + session.todos.length, 0)
      const mutations = treeMutations(file, {
        project,
        agent: await deps.leadAgent(project, root.session.agent),
        imported: { from, at: now, by: caller },
        visibility: deps.usualVisibility(),
        firstTodo: todos === 0 ? 0 : await deps.store.write.reserveTodoNumbers(todos),
        outputPathOf: deps.outputs.pathOf,
      })
      await deps.attachments.importing(file.rootID, contents, async () => {
        await deps.journal
          .commit(file.rootID, mutations, { fresh: file.rootID, onlyNew: true })
          .catch((error: unknown) => refuseKnown(error, file.rootID))
      })
      await keepOutputs(deps, file)
      return { sessionID: file.rootID, title: fileTitle(root.session), from, counts: countsOf(file), left }
    },
  }
}

/** The same file. @throws invalid_input for an id from the future: ids define the order, so new ones must come later */
function withoutFutureIDs(file: SessionFile, now: number): SessionFile {
  const ahead = fileIDs(file).find((id) => (idTime(id) ?? 0) > now)
  if (ahead === undefined) return file
  throw badFile(`its id ${ahead} is from the future. Import it with new ids, or check the clock of this machine.`)
}

function refuseKnown(error: unknown, rootID: string): never {
  if (!(error instanceof DocketError)) throw error
  if (error.code === "unknown_tree") throw alreadyMade(`The session ${rootID} was here and was removed.`, error)
  if (error.code === "already_made")
    throw alreadyMade("The session of this file, or a part of it, is here already.", error)
  throw error
}

function alreadyMade(reason: string, cause: unknown): DocketError {
  return new DocketError("already_made", `${reason} Import it with new ids to get a copy of it.`, { cause })
}

/**
 * Called after the tree is stored, so that no output of another tree is overwritten. A lost output is reported when it
 * is opened.
 */
async function keepOutputs({ outputs, onError }: TransfersDeps, file: SessionFile): Promise<void> {
  if (file.outputs.length === 0) return
  const sessionOf = new Map(
    file.sessions.flatMap(({ messages }) =>
      messages.flatMap(({ parts }) => parts.map(({ id, sessionID }) => [id, sessionID] as const)),
    ),
  )
  for (const { partID, text } of file.outputs) {
    const sessionID = sessionOf.get(partID)
    if (sessionID !== undefined) await outputs.keep({ sessionID, id: partID, rootID: file.rootID }, text).catch(onError)
  }
}

function countsOf({ sessions, tasks, reviews }: SessionFile) {
  const messages = sessions.flatMap((session) => session.messages)
  return {
    sessions: sessions.length,
    messages: messages.length,
    parts: messages.reduce((sum, { parts }) => sum + parts.length, 0),
    todos: sessions.reduce((sum, { todos }) => sum + todos.length, 0),
    tasks: tasks.length,
    comments: reviews.comments.length,
  }
}

/**
 * The file with all people replaced by imported ones under their names in the file, because anyone can write any name
 * into a file.
 */
function withImportedPeople(file: SessionFile): SessionFile {
  const { threads, comments, verdicts, viewed } = file.reviews
  return {
    ...file,
    sessions: file.sessions.map(importedFileSession),
    tasks: file.tasks.map(importedTask),
    reviews: {
      threads: threads.map(importedThread),
      comments: comments.map(importedComment),
      verdicts: verdicts.map(withImportedBy),
      viewed: viewed.map(withImportedBy),
    },
  }
}

function importedFileSession({ session, todos, todoChanges, turns, messages }: FileSession): FileSession {
  return {
    session: importedSession(session),
    todos,
    todoChanges: todoChanges.map(withImportedBy),
    turns: turns.map(importedTurn),
    messages: messages.map(importedMessage),
  }
}

function importedSession(session: Session): Session {
  const { revert, read } = session
  return {
    ...withImportedBy(session),
    ...(revert && { revert: withImportedBy(revert) }),
    ...(read && { read: Object.fromEntries(Object.entries(read).map(([person, at]) => [importedPerson(person), at])) }),
  }
}

function importedTurn(row: FileTurn): FileTurn {
  const { error, stoppedBy } = row
  return {
    ...withImportedBy(row),
    ...(error && { error: withImportedBy(error) }),
    ...(stoppedBy && { stoppedBy: importedCaller(stoppedBy) }),
  }
}

function importedMessage({ info, parts }: MessageWithParts): MessageWithParts {
  const of = info.role === "user" ? withImportedBy(info) : { ...info, error: info.error && withImportedBy(info.error) }
  return { info: of, parts: parts.map(importedPart) }
}

/** A call's metadata contains who allowed it, answered a question or decided on a plan. */
function importedPart(row: Part): Part {
  if (row.type !== "tool" || row.state.status === "pending") return row
  const { metadata } = row.state
  const isAnswered = row.tool === "question" || row.tool === "plan_exit"
  const leave = withPersonID(metadata.leave)
  const kept = { ...(isAnswered ? withPersonID(metadata) : metadata), ...(leave !== undefined && { leave }) }
  return { ...row, state: { ...row.state, metadata: kept } }
}

function withPersonID<T>(kept: T): T {
  if (typeof kept !== "object" || kept === null || !("by" in kept) || typeof kept.by !== "string") return kept
  return { ...kept, by: importedPerson(kept.by) }
}

function importedTask(row: Task): Task {
  const { error, moments } = row
  return {
    ...withImportedBy(row),
    error: error && withImportedBy(error),
    ...(moments && {
      moments: moments.map((moment) => ({
        ...moment,
        ...(moment.answer && { answer: withImportedBy(moment.answer) }),
      })),
    }),
  }
}

function importedThread(row: ReviewThread): ReviewThread {
  return { ...withImportedBy(row), resolved: row.resolved && withImportedBy(row.resolved) }
}

function importedComment(row: ReviewComment): ReviewComment {
  return { ...withImportedBy(row), sent: row.sent && withImportedBy(row.sent) }
}

function withImportedBy<T extends { by?: Caller | undefined }>(row: T): T {
  return row.by === undefined ? row : { ...row, by: importedCaller(row.by) }
}

const kindOf = new Map<string, IdKind>(
  // Object.entries types keys as strings, but this record has only its own keys.
  (Object.entries(idPrefix) as [IdKind, string][]).map(([kind, prefix]) => [prefix, kind]),
)
/** An id of any kind: prefix, time and random letters. */
const anyID = /[a-z]{3}_[0-9a-f]{12}[0-9A-Za-z]{14}/g

/** The same tree with new ids, also inside texts. Ids keep their order and their times, up to `now` (epoch ms). */
function withNewIDs(file: SessionFile, now: number): SessionFile {
  const known = new Map<string, string>()
  const counts = new Map<string, number>()
  for (const id of oldestFirst(fileIDs(file))) {
    const kind = kindOf.get(id.slice(0, 3))
    if (kind === undefined) continue
    const time = Math.min(idTime(id) ?? now, now)
    const count = counts.get(`${kind}${time}`) ?? 0
    counts.set(`${kind}${time}`, count + 1)
    known.set(id, idAt(kind, { time, count, random: randomBytes }))
  }
  const { attachments, ...rows } = file
  const text = JSON.stringify(rows).replace(anyID, (id) => known.get(id) ?? id)
  // Only ids differ, each replaced by one of the same kind.
  return { ...(JSON.parse(text) as SessionFile), ...(attachments && { attachments }) }
}

/** Session ids descend: the larger one is older. */
function oldestFirst(ids: readonly string[]): string[] {
  const isSession = (id: string) => id.startsWith(`${idPrefix.session}_`)
  const [sessions, others] = [ids.filter(isSession), ids.filter((id) => !isSession(id))]
  return [...sessions.sort().reverse(), ...others.sort()]
}

/** A tree as the text of a `SessionFile`, in pieces. */
async function* writeJson(tree: FileTree): AsyncGenerator<string> {
  yield `${open({ ...sessionFileFormat, ...tree.head })},"sessions":[`
  for (const [index, head] of tree.sessions.entries()) {
    yield `${index === 0 ? "" : ","}\n${open(head)},"messages":[`
    let between = "\n"
    for await (const page of tree.messages(head.session.id)) {
      for (const message of page) {
        yield between + JSON.stringify(message)
        between = ",\n"
      }
    }
    yield "]}"
  }
  yield '],"outputs":['
  let between = "\n"
  for await (const output of tree.outputs()) {
    yield between + JSON.stringify(output)
    between = ",\n"
  }
  yield "]"
  between = ',"attachments":[\n'
  for await (const attachment of tree.attachments()) {
    yield between + JSON.stringify(attachment)
    between = ",\n"
  }
  yield between === ",\n" ? "]}\n" : "}\n"
}

/** A record as JSON without the closing brace, so that members can be added. */
function open(record: object): string {
  return JSON.stringify(record).slice(0, -1)
}

/** A tree as a document for people, in pieces: each session with its todo list and its transcript. */
async function* writeMarkdown(tree: FileTree): AsyncGenerator<string> {
  yield documentHead(tree)
  for (const { session, todos } of tree.sessions) {
    yield sessionHead(session, titleOf(session), todos)
    for await (const page of tree.messages(session.id)) yield page.map(messageText).join("")
  }
}

function documentHead({ head, sessions }: FileTree): string {
  const all = sessions.map(({ session }) => session)
  const [root] = all
  const tokens = all.reduce((sum, session) => sum + totalTokens(session.tokens), 0)
  const cost = all.reduce((sum, session) => sum + session.cost, 0)
  const facts = [
    ["Started", root === undefined ? null : new Date(root.time.created).toISOString()],
    ["Tokens", formatTokens(tokens)],
    ["Cost", cost > 0 ? formatCost(cost) : null],
    ["Secrets", head.sanitized ? "what was found is replaced" : null],
  ]
  const list = facts.flatMap(([name, value]) => (value ? [`- ${name}: ${plainWords(value)}`] : []))
  const outline = all.map((session) => `${"  ".repeat(session.depth)}- ${titleOf(session)}`)
  return `# ${root === undefined ? "Session" : titleOf(root)}\n\n${list.join("\n")}\n\n${outline.join("\n")}\n`
}

function titleOf(session: Session): string {
  return plainWords(shortTitle(session))
}
