/** Longest title (UTF-16 units), because a title is a line in a list. */
const maxLength = 100
/** Only this much of a text is read (UTF-16 units). */
const maxRead = 4_000

/** HTML tags that models put around a title; `Array<string>` is not matched. */
const tags = /<\/?(?:a|b|br|code|div|em|h[1-6]|i|p|pre|s|span|strong|title|u)(?:\s[^<>]*)?\/?>/gi
/** Control characters, and those that reorder or hide text. */
const unseen = /[\p{Cc}\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff]+/gu
const quotes = /^["'“”‘’«»]+|["'“”‘’«»]+$/g
/**
 * Punctuation at the end of a title that means nothing there. An ellipsis stays, because it shows that text was cut.
 */
const ending = /(?:(?<!\.)\.|[\s,:;|–—-])+$/

/**
 * Makes a title from a model's answer or a user's prompt: the first line with words, without markup, surrounding quotes
 * and final punctuation. At most `most` UTF-16 units; empty when there are no words.
 */
export function titleFrom(text: string, most = maxLength): string {
  const lines = text
    .slice(0, maxRead)
    .replace(/<think>[\s\S]*?(?:<\/think>|$)/g, "")
    .split(/[\r\n\u2028\u2029]+/)
  const title = lines.map(plainLine).find((line) => /[\p{L}\p{N}]/u.test(line)) ?? ""
  // A cut emoji ends in half a character, which `toWellFormed` turns into U+FFFD.
  return title.length <= most
    ? title
    : `${withoutEnding(
        title
          .slice(0, most - 1)
          .toWellFormed()
          .replace(/\ufffd$/, ""),
      )}…`
}

/** The title of a task and of its session: one line of words, or else of the other visible characters. */
export function taskTitle(description: string): string {
  return titleFrom(description) || typedTitle(description.slice(0, maxLength).toWellFormed()) || "Task"
}

/** A title as a user typed it, on one line and without invisible characters. */
export function typedTitle(text: string): string {
  return text.replace(unseen, " ").replace(/\s+/g, " ").trim()
}

function plainLine(line: string): string {
  const words = line
    .replace(tags, "")
    .replace(unseen, " ")
    .replace(/^\s*(?:#{1,6}\s|>|[-*+]\s|```\w*$)+/, "")
    .replace(/!?\[([^\][]*)\]\([^()\s]*\)/g, "$1")
    .replace(/(\*\*|__|~~)(?=\S)(.+?)(?<=\S)\1/g, "$2")
    .replace(/(?<![\w*])([*_])(?=\S)([^*_]+?)(?<=\S)\1(?![\w*])/g, "$2")
    .replaceAll("`", "")
    .replace(/\s+/g, " ")
    .replace(/^\s*(?:session )?title\s*:\s*/i, "")
  return withoutEnding(words)
}

/** A quote may come before or after the final punctuation. */
function withoutEnding(words: string): string {
  const bare = words.trim().replace(quotes, "").replace(ending, "")
  return bare === words ? bare : withoutEnding(bare)
}
