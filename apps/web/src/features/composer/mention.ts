import type { PromptPart } from "@docket/core/schema"
import { mentionedNames } from "../undo/mentioned-names.ts"

/** An agent or file mentioned with `@`. A file's `value` is relative to the project's directory. */
export interface Mention {
  kind: "agent" | "file"
  value: string
}

/** The `@word` at the caret: its start, and the text typed after the `@`. */
export interface MentionQuery {
  start: number
  text: string
}

/** Finds the mention being typed at `caret`, or null. An `@` inside a word (an e-mail address) is not a mention. */
export function mentionAt(text: string, caret: number): MentionQuery | null {
  const before = text.slice(0, caret)
  const match = /(?:^|\s)@([^\s@]*)$/.exec(before)
  if (!match) return null
  const typed = match[1] ?? ""
  return { start: caret - typed.length - 1, text: typed }
}

/** Replaces the typed `@word` with the chosen one and a space. Returns the text and the new caret. */
export function insertMention(text: string, query: MentionQuery, caret: number, value: string) {
  const inserted = `@${value} `
  const after = text.slice(caret).replace(/^ /, "")
  return { text: text.slice(0, query.start) + inserted + after, caret: query.start + inserted.length }
}

/** Puts a completed word in place of what was typed from `from` on, with a space when nothing belongs to it any more. */
export function insertWord(
  text: string,
  { from, caret }: { from: number; caret: number },
  { value, isWhole }: { value: string; isWhole: boolean },
) {
  const inserted = isWhole ? `${value} ` : value
  const after = isWhole ? text.slice(caret).replace(/^ /, "") : text.slice(caret)
  return { text: text.slice(0, from) + inserted + after, caret: from + inserted.length }
}

const mimeByExtension: Record<string, string> = {
  png: "image/png",
  jpg: "image/jpeg",
  jpeg: "image/jpeg",
  gif: "image/gif",
  webp: "image/webp",
  pdf: "application/pdf",
}

/** The `file://` URL of an absolute path, on POSIX and Windows. */
export function fileURL(path: string): string {
  const posix = path.replaceAll("\\", "/")
  const encoded = posix
    .split("/")
    .map(encodeURIComponent)
    .join("/")
    .replace(/^([A-Za-z])%3A/, "$1:")
  return `file://${encoded.startsWith("/") ? "" : "/"}${encoded}`
}

function filePart(directory: string, path: string): PromptPart {
  const extension = path.slice(path.lastIndexOf(".") + 1).toLowerCase()
  return {
    type: "file",
    mime: mimeByExtension[extension] ?? "text/plain",
    url: fileURL(`${directory.replace(/[\\/]+$/, "")}/${path}`),
    filename: path,
  }
}

/**
 * The parts of a prompt: its text, and one part for each mention that is still in the text. Agents are matched by name,
 * files only if they were picked.
 */
export function toPromptParts(
  text: string,
  options: { picked: Mention[]; agents: string[]; directory: string },
): PromptPart[] {
  const words = mentionedNames(text)
  const files = new Set(options.picked.filter((mention) => mention.kind === "file").map((mention) => mention.value))
  const parts: PromptPart[] = text.trim() === "" ? [] : [{ type: "text", text }]
  for (const word of words) {
    if (files.has(word)) parts.push(filePart(options.directory, word))
    else if (options.agents.includes(word)) parts.push({ type: "agent", name: word })
  }
  return parts
}
