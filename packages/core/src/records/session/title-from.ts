/** Longer titles are cut: a title is a line in a list (UTF-16 units). */
const maxLength = 100
/** More of a text is not looked at (UTF-16 units). */
const maxRead = 4_000

/** Tags that models put around a title; `Array<string>` has none. */
const tags = /<\/?(?:a|b|br|code|div|em|h[1-6]|i|p|pre|s|span|strong|title|u)(?:\s[^<>]*)?\/?>/gi
/** Control characters, and those that reorder or hide text on the screen. */
const unseen = /[\p{Cc}\u061c\u200b\u200e\u200f\u2028-\u202e\u2060-\u206f\ufeff]+/gu
const quotes = /^["'“”‘’«»]+|["'“”‘’«»]+$/g
/** Promises that more follows, or says nothing at the end of a title. An ellipsis says that something was cut. */
const ending = /(?:(?<!\.)\.|[\s,:;|–—-])+$/

/**
 * A title out of what a model answered or a person asked: the first line that has words, without markup, quotes around
 * it, or punctuation at its end. At most `most` UTF-16 units; empty when there are no words.
 */
export function titleFrom(text: string, most = maxLength): string {
  const lines = text
    .slice(0, maxRead)
    .replace(/<think>[\s\S]*?(?:<\/think>|$)/g, "")
    .split(/[\r\n\u2028\u2029]+/)
  const title = lines.map(plainLine).find((line) => /[\p{L}\p{N}]/u.test(line)) ?? ""
  return title.length <= most
    ? title
    : `${withoutEnding(
        title
          .slice(0, most - 1)
          .toWellFormed()
          .replace(/\ufffd$/, ""),
      )}…`
}

/** What a task is called, and with it its session: one line of words, else of what else was given that can be seen. */
export function taskTitle(description: string): string {
  return titleFrom(description) || typedTitle(description.slice(0, maxLength).toWellFormed()) || "Task"
}

/** A title as somebody typed it, in one line in which every character stands where it is read. */
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

/** A quote may stand before the ending or behind it. */
function withoutEnding(words: string): string {
  const bare = words.trim().replace(quotes, "").replace(ending, "")
  return bare === words ? bare : withoutEnding(bare)
}
