import type { SharedTree } from "@docket/client/pages"
import type { Part, Session, TodoStatus } from "@docket/core/schema"
import { shortTitle } from "@docket/core/session-title"
import { cleanLine } from "./clean-line.ts"
import { shareFigures } from "./describe-share.ts"
import { drawable, isReadable } from "./drawable.ts"
import { excerptOf } from "./excerpt-of.ts"

/** Everything shown on the preview image of a link, taken from the shared copy only. */
export interface ShareCard {
  title: string
  author: string | null
  figures: string[]
  state: string
  /** The first todos, if there is no excerpt. */
  todos: { content: string; status: TodoStatus }[]
  /** The excerpt for a link to a part. */
  excerpt: { kind: string; lines: string[]; isCode: boolean } | null
}

const maxTodos = 4
const longestTitle = 90
const lineLength = { code: 62, words: 76 }
const maxLines = 6
/** Only the beginning of a longer text is read (UTF-16 units). */
const readLength = 4_000

export function shareCard(shared: SharedTree, session: Session, part: Part | null): ShareCard {
  const title = line(shortTitle(session), longestTitle)
  const { author, mode } = shared.share
  const excerpt = part && excerptOf(part)
  const lines = excerpt ? linesOf(excerpt.text, excerpt.isCode ? lineLength.code : lineLength.words) : []
  const todos = part === null ? (shared.tree.todos[session.id] ?? []) : []
  return {
    title: isReadable(title) ? title : "Shared session",
    author: author === null ? null : line(author, 40),
    figures: shareFigures(shared, session).map((figure) => line(figure, 40)),
    todos: todos.slice(0, maxTodos).map(({ content, status }) => ({ content: line(content, 64), status })),
    state: mode === "frozen" ? "Frozen" : session.status.type === "idle" ? "Shared" : "Live",
    excerpt: excerpt && lines.some(isReadable) ? { kind: line(excerpt.kind, 30), lines, isCode: excerpt.isCode } : null,
  }
}

function line(text: string, limit: number): string {
  return drawable(cleanLine(text, limit))
}

/** The first non-empty lines, limited to the height of the image. */
function linesOf(text: string, limit: number): string[] {
  const all = text
    .slice(0, readLength)
    .split("\n")
    .flatMap((row) => wrapped(row.trimEnd(), limit))
  const lines = all.map((row) => drawable(row)).filter((row) => row.trim() !== "")
  const isCut = lines.length > maxLines || text.length > readLength
  return lines
    .slice(0, maxLines)
    .map((row, index) => (isCut && index === maxLines - 1 ? `${row.slice(0, limit - 2)} …` : row))
}

/** Breaks a line between words, and words that are longer than a line. Further lines keep its indentation. */
function wrapped(row: string, limit: number): string[] {
  const indent = /^ */.exec(row)?.[0].slice(0, 12) ?? ""
  const words = cleanLine(row, limit * maxLines).split(" ")
  const rows: string[] = []
  let current = indent
  for (const word of words.flatMap((each) => each.match(new RegExp(`.{1,${limit - indent.length}}`, "gu")) ?? [])) {
    const next = current.trim() === "" ? `${indent}${word}` : `${current} ${word}`
    if (next.length > limit && current.trim() !== "") {
      rows.push(current)
      current = `${indent}${word}`
    } else current = next
  }
  return [...rows, current]
}
