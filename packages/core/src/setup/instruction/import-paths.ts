/** A reference in a text to a file that is included. */
export interface ImportPath {
  /** As written, without the `@`. */
  path: string
  /** 1-based. */
  line: number
  /** Whether it is alone on its line, so it is meant as an import and not just mentioned. */
  alone: boolean
}

const fence = /^ {0,3}(`{3,}|~{3,})/
/** Inline code, closed by the same number of backticks. */
const codeSpan = /(?<!`)(`+)(?!`).*?(?<!`)\1(?!`)/g
const mention = /(?<=^|\s)@((?:\\ |[^\s\\])+)/g
const aloneInLine = /^\s*(?:[-*+] +)?@(?:\\ |[^\s\\])+\s*$/

/** The files that a CLAUDE.md imports with `@path`, in order, each once. Code is ignored. */
export function importPaths(text: string): ImportPath[] {
  const found = new Map<string, ImportPath>()
  for (const [index, line] of proseLines(text).entries()) {
    for (const [, given = ""] of line.matchAll(mention)) {
      const path = given.replaceAll("\\ ", " ").replace(/[.,;:!?)\]]+$/, "")
      if (!looksLikePath(path) || found.has(path)) continue
      found.set(path, { path, line: index + 1, alone: aloneInLine.test(line) })
    }
  }
  return [...found.values()]
}

/** The lines of a text without code blocks and inline code. */
function proseLines(text: string): string[] {
  /** The signs that opened the code block; null outside of one. */
  let openFence: string | null = null
  return text.split(/\r?\n/).map((line) => {
    const fenceSigns = fence.exec(line)?.[1] ?? null
    if (openFence !== null) {
      if (fenceSigns?.startsWith(openFence) && line.trim() === fenceSigns) openFence = null
      return ""
    }
    openFence = fenceSigns
    return fenceSigns === null ? line.replace(codeSpan, " ") : ""
  })
}

/** Names of people and packages look the same (`@ada`, `@types/node`); such a match counts only if the file exists. */
function looksLikePath(path: string): boolean {
  return /^(?:~\/|\.{0,2}\/)?[\p{L}\p{N}._-]/u.test(path) && !path.includes("\0")
}
