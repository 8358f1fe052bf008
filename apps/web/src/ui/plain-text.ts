/** Markdown as one line of words, for places that show only a beginning: marks go, links keep their text. */
export function plainText(markdown: string): string {
  return markdown
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
