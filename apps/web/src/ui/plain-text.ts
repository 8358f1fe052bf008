/** Number of characters that are read: far more than any place shows, and few enough for backtracking patterns. */
const maxRead = 2_000

/** Markdown as one line of plain text, for places that show only a beginning. Links keep their text. */
export function plainText(markdown: string): string {
  return markdown
    .slice(0, maxRead)
    .replace(/^ {0,3}(```|~~~).*$/gm, " ")
    .replace(/!?\[([^\]]*)\]\([^)]*\)/g, "$1")
    .replace(/^[ \t]*(#{1,6}|>|[-*+]|\d+[.)])[ \t]+/gm, "")
    .replace(/^[ \t]*\|?[ \t]*:?-{2,}.*$/gm, " ")
    .replace(/\*\*|__|~~|`/g, "")
    .replace(/(^|\s)[*_](\S(?:.*?\S)?)[*_](?=\s|[.,;:!?)]|$)/g, "$1$2")
    .replace(/\s*\|\s*/g, " ")
    .replace(/\s+/g, " ")
    .trim()
}
