/** A place in a text that names a file to be read with it. */
export interface ImportPath {
  /** As it is written, without the `@`. */
  path: string
  /** 1-based. */
  line: number
  /** It stands alone in its line: meant as an import, not a name in passing. */
  alone: boolean
}

const fence = /^ {0,3}(`{3,}|~{3,})/
/** A span of code in a line, closed by as many backticks as opened it. */
const codeSpan = /(?<!`)(`+)(?!`).*?(?<!`)\1(?!`)/g
const mention = /(?<=^|\s)@((?:\\ |[^\s\\])+)/g
const aloneInLine = /^\s*(?:[-*+] +)?@(?:\\ |[^\s\\])+\s*$/

/** The files that a CLAUDE.md imports by `@path`, in their order, each once. What stands in code is none. */
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

/** The lines of a text; those of code blocks are empty, and so are spans of code. */
function proseLines(text: string): string[] {
  let open: string | null = null
  return text.split(/\r?\n/).map((line) => {
    const mark = fence.exec(line)?.[1] ?? null
    if (open !== null) {
      if (mark?.startsWith(open) && line.trim() === mark) open = null
      return ""
    }
    open = mark
    return mark === null ? line.replace(codeSpan, " ") : ""
  })
}

/** People and packages are named like this too: `@ada`, `@types/node`; whether a file is there decides then. */
function looksLikePath(path: string): boolean {
  return /^(?:~\/|\.{0,2}\/)?[\p{L}\p{N}._-]/u.test(path) && !path.includes("\0")
}
