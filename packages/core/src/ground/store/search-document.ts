import { z } from "zod"
import { DocketError } from "../error/docket-error.ts"
import { idTime } from "../id/id-time.ts"
import { type FacetName, holdsTerm, type SearchAsk, type SearchState, wordLine } from "../query/index.ts"
import type { Message, Part, Session, TextPart, ToolPart } from "../schema/index.ts"
import type { SearchPlace } from "./port/index.ts"

/** The searchable content of a part or title. Facts that change with the session (cost, verdicts) are in its rows. */
export interface SearchDocument extends SearchPlace {
  /** How a call ended; null for what goes by the state of its session. */
  state: SearchState | null
  /** Lines of words: see `wordLine`. */
  words: string
  files: string
  /** In lower case. */
  facets: Partial<Record<FacetName, string>>
}

/** Characters that are searched: of a text, of what went into a call, and of what came out of it. */
const searched = { text: 65_536, input: 8_192, output: 16_384 } as const

/** The searchable content of a part. Null for a part that records no words or acts, and for one that still grows. */
export function partDocument(part: Part, message: Message, rootID: string): SearchDocument | null {
  if (part.type === "text") return textDocument(part, message, rootID)
  return part.type === "tool" ? callDocument(part, message, rootID) : null
}

/** The searchable content of a session's title: a root's title is found as `title`, any other as `child`. */
export function titleDocument({ id, rootID, title, agent, by, time }: Session): SearchDocument {
  const kind = id === rootID ? "title" : "child"
  return {
    id,
    kind,
    at: time.created,
    rootID,
    sessionID: id,
    messageID: null,
    state: null,
    words: wordLine(title),
    files: wordLine(""),
    facets: facets({ agent, kind, by: by?.person }),
  }
}

function textDocument(part: TextPart, message: Message, rootID: string): SearchDocument | null {
  if (part.synthetic === true || part.time?.end === null || part.text === "") return null
  const kind = message.role === "user" ? "prompt" : "answer"
  const by = message.role === "user" ? message.by?.person : undefined
  return {
    ...placeOf(part, message),
    rootID,
    kind,
    state: null,
    words: wordLine(searchedText(part)),
    files: wordLine(""),
    facets: facets({ agent: message.agent, kind, by }),
  }
}

function callDocument(part: ToolPart, message: Message, rootID: string): SearchDocument | null {
  if (part.state.status === "pending") return null
  return {
    ...placeOf(part, message),
    rootID,
    kind: "tool",
    state: callState(part.state),
    words: wordLine(searchedText(part)),
    files: filesOf(part.state),
    facets: facets({ agent: message.agent, kind: "tool", tool: part.tool }),
  }
}

function placeOf({ id, sessionID, messageID }: Part, message: Message) {
  return { id, at: idTime(id) ?? message.time.created, sessionID, messageID }
}

/** The text of a part that is searched, as people read it; of a call its title, what went in and what came out. */
export function searchedText(part: TextPart | ToolPart): string {
  if (part.type === "text") return part.text.slice(0, searched.text)
  const { state } = part
  if (state.status === "pending") return ""
  const input = textsIn(state.input).join("\n").slice(0, searched.input)
  const outcome = state.status === "completed" ? state.output : state.status === "error" ? state.error : ""
  return `${state.title ?? ""}\n${input}\n${outcome.slice(0, searched.output)}`.trim()
}

/** All texts in what a model sent as arguments, as deep as people nest them. */
function textsIn(input: unknown, depth = 0): string[] {
  if (typeof input === "string") return [input]
  if (typeof input !== "object" || input === null || depth > 4) return []
  return Object.values(input).flatMap((value) => textsIn(value, depth + 1))
}

/** A call whose arguments are there. */
type Called = Exclude<ToolPart["state"], { status: "pending" }>

/** How a call stands: a command that said it failed has failed. */
export function callState({ status, metadata }: Called): SearchState {
  if (status === "running") return "running"
  if (status === "error") return metadata.interrupted === true ? "stopped" : "failed"
  return typeof metadata.exit === "number" && metadata.exit !== 0 ? "failed" : "completed"
}

/** The names of files in the arguments of a call. */
const FileArguments = z.object({
  filePath: z.string().optional().catch(undefined),
  path: z.string().optional().catch(undefined),
})

/** The file that a call read, wrote or edited, as it was given and as it was found. */
function filesOf({ input, metadata }: Called): string {
  const { filePath, path } = FileArguments.safeParse(input).data ?? {}
  return wordLine([filePath, path, metadata.file].filter((name) => typeof name === "string").join("\n"))
}

function facets(values: Partial<Record<FacetName, string | undefined>>): SearchDocument["facets"] {
  const known = Object.entries(values).filter(([, value]) => value !== undefined)
  return Object.fromEntries(known.map(([name, value = ""]) => [name, value.toLowerCase()]))
}

/** Whether the content of a part or title meets the conditions of the search. */
export function documentFits(ask: SearchAsk, { words, files, facets, rootID, at }: SearchDocument): boolean {
  return (
    ask.terms.every((term) => holdsTerm(words, term)) &&
    !ask.without.some((term) => holdsTerm(words, term)) &&
    ask.is.every(({ name, values }) => values.includes(facets[name] ?? "")) &&
    !ask.isNot.some(({ name, values }) => values.includes(facets[name] ?? "")) &&
    (ask.files.length === 0 || ask.files.some((term) => holdsTerm(files, term))) &&
    !ask.withoutFiles.some((term) => holdsTerm(files, term)) &&
    (ask.trees.length === 0 || ask.trees.includes(rootID)) &&
    (ask.after === null || at >= ask.after) &&
    (ask.before === null || at < ask.before)
  )
}

/** How the work of a session stands; null before it has begun. */
export function sessionState({ status, ended }: Session): SearchState | null {
  return status.type === "idle" ? (ended?.how ?? null) : "running"
}

/** Whether what was found is still said: what an undo took back stays stored until the next prompt. */
export function isSaid({ messageID }: Pick<SearchPlace, "messageID">, { revert }: Pick<Session, "revert">): boolean {
  // What tasks did meanwhile in other sessions is undone with it: ids ascend.
  return messageID === null || !revert || messageID < revert.messageID
}

/** Where the next page begins, after this place. */
export function searchCursor({ at, id }: { at: number; id: string }): string {
  return `${at}:${id}`
}

/** @throws DocketError invalid_input when it is not a cursor that a search gave */
export function parseSearchCursor(cursor: string): { at: number; id: string } {
  const [, at, id] = /^(\d{1,16}(?:\.\d{1,9})?):(\w{1,80})$/.exec(cursor) ?? []
  if (at === undefined || id === undefined) {
    throw new DocketError(
      "invalid_input",
      "the cursor is not one that this search gave; leave it out for its first page",
    )
  }
  return { at: Number(at), id }
}
