import type { TreeState } from "@docket/client"
import type { useTRPCClient } from "@docket/client/react"
import type { Part } from "@docket/core/schema"
import type { CommentWish, ShownLines } from "../commenting/comment-store.ts"
import type { CommentPlace, DraftBox } from "./draft-box.ts"
import { findLines, linesOf, scopeOf, stepsOf } from "./place-lines.ts"
import { placeOfText, readSelection } from "./read-selection.ts"

type Client = ReturnType<typeof useTRPCClient>

interface BeginDeps {
  rootID: string
  client: Client
  box: DraftBox
  tree: TreeState | null
}

type NewCommentWish = Exclude<CommentWish, { kind: "show" }>

/** Where a comment is placed, and its initial text when the place alone does not identify the subject. */
interface Beginning {
  at: CommentPlace
  text: string
}

/**
 * Opens the draft for a comment that the user asked for. Returns its key, or null when there is nothing to comment on.
 */
export async function beginComment(deps: BeginDeps, wish: NewCommentWish): Promise<string | null> {
  const beginning = await beginningOf(deps, wish)
  if (beginning === null) return null
  const { box } = deps
  const key = box.open(beginning.at)
  const isNew = box.list().find((draft) => draft.key === key)?.text === ""
  if (isNew && beginning.text !== "") box.write(key, beginning.text)
  return key
}

async function beginningOf(deps: BeginDeps, wish: NewCommentWish): Promise<Beginning | null> {
  switch (wish.kind) {
    case "place": {
      const { sessionID, place } = wish
      return { at: { sessionID, place, quote: null }, text: "" }
    }
    case "part":
      return wholePart(await partOf(deps, wish.partID), "")
    case "selection":
      return onSelection(deps)
    case "lines":
      return onLines(deps, wish.lines)
  }
}

async function onSelection(deps: BeginDeps): Promise<Beginning | null> {
  const selected = readSelection(window.getSelection())
  const part = selected === null ? null : await partOf(deps, selected.partID)
  if (selected === null || part === null) return null
  const place = placeOfText(part, selected)
  if (place.kind === "part") return wholePart(part, selected.words)
  return { at: { sessionID: part.sessionID, place, quote: selected.words }, text: "" }
}

/**
 * Places a comment on lines of the whole change of their task or prompt, if that shows them. Otherwise places it on the
 * call that made the change, with the lines as a quote.
 */
async function onLines(deps: BeginDeps, lines: ShownLines): Promise<Beginning | null> {
  const { rootID, client } = deps
  const { changes } = await client.changes.list.query({ sessionID: rootID })
  const found = scopeOf(changes, lines)
  const quote = linesOf(lines.patch, lines) ?? ""
  if (found !== null) {
    const { scope, change } = found
    const steps = stepsOf(changes, scope, change.path)
    const pieces = await client.changes.diff.query({ sessionID: rootID, path: change.path, steps })
    const range = findLines(
      pieces.map(({ patch }) => patch),
      lines,
    )
    if (range !== null) {
      const place = { kind: "diff", scope, path: change.path, side: lines.side, ...range } as const
      return { at: { sessionID: scope.kind === "task" ? change.sessionID : rootID, place, quote }, text: "" }
    }
  }
  const partID = lines.partID ?? found?.change.partID ?? null
  return partID === null ? null : wholePart(await partOf(deps, partID), quote)
}

/** The part from the loaded transcripts, or else from the server. */
async function partOf({ client, tree }: BeginDeps, partID: string): Promise<Part | null> {
  return findPart(tree, partID) ?? client.session.part.query({ partID }).catch(() => null)
}

function wholePart(part: Part | null, quoted: string): Beginning | null {
  if (part === null) return null
  const { sessionID, messageID, id: partID } = part
  const text = quoted === "" ? "" : `${quoted.replace(/^/gm, "> ")}\n\n`
  return { at: { sessionID, place: { kind: "part", messageID, partID }, quote: null }, text }
}

/** Finds a part in the loaded transcripts. */
export function findPart(tree: TreeState | null, partID: string): Part | null {
  for (const { messages } of Object.values(tree?.transcripts ?? {})) {
    for (const { parts } of messages) {
      const part = parts.find(({ id }) => id === partID)
      if (part !== undefined) return part
    }
  }
  return null
}
