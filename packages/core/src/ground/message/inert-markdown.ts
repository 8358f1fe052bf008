// biome-ignore-start lint/suspicious/noControlCharactersInRegex: they are what is looked for
/** Escape sequences of terminals, by ECMA-48: CSI, strings such as OSC with their text, and the others. */
const escapes =
  /(?:\u001B\[|\u009B)[0-?]*[ -/]*[@-~]|(?:\u001B[\]PX^_]|[\u0090\u0098\u009D-\u009F])[^\u0007\u001B\u009C]*(?:\u0007|\u001B\\|\u009C)?|\u001B[ -/]*[0-~]?/g
/** Control characters except tabs and line feeds, and marks that change the writing direction. */
const unseen =
  /[\u0000-\u0008\u000B\u000C\u000E-\u001F\u007F-\u009F\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069\uFEFF]/g
// biome-ignore-end lint/suspicious/noControlCharactersInRegex: as above

/** A text without terminal codes, and without characters that make it look different from what it is. */
export function plainCharacters(text: string): string {
  return text.replace(/\r\n?/g, "\n").replace(escapes, "").replace(unseen, "")
}

/**
 * Markdown that a model or a person wrote, for a document that others open: it loads nothing and holds no HTML. Images
 * become links, and what begins a tag is escaped; code stays as it is.
 */
export function inertMarkdown(text: string): string {
  let fence: string | null = null
  const lines = plainCharacters(text).split("\n")
  const inert = lines.map((line) => {
    const [, mark = "", info = ""] = /^ {0,3}(`{3,}|~{3,})(.*)$/.exec(line) ?? []
    if (fence !== null) {
      if (mark.startsWith(fence) && info.trim() === "") fence = null
      return line
    }
    // Backticks with others behind them in the line make a span of code and open no block.
    const isSpan = mark.startsWith("`") && info.includes("`")
    if (mark !== "" && !isSpan) {
      fence = mark
      return line
    }
    return inertLine(line)
  })
  // Otherwise what follows in the document would be part of the block.
  if (fence !== null) inert.push(fence)
  return inert.join("\n")
}

/** Keeps spans of code, but not in lines with `|` or a backslash, which may end a span elsewhere than this looks. */
function inertLine(line: string): string {
  if (line.includes("|") || line.includes("\\")) return escaped(line)
  return line.replace(/(`+)(?!`)(.*?[^`])\1(?!`)|[^`]+|`+/g, (piece, ticks?: string) =>
    ticks === undefined ? escaped(piece) : piece,
  )
}

/** Puts a backslash before `![` and before what begins a tag, unless the backslashes there already escape it. */
function escaped(text: string): string {
  return text.replace(/\\*(?:!(?=\[)|<(?=[A-Za-z!/?]))/g, (found) => {
    const mark = found.at(-1) ?? ""
    const slashes = found.slice(0, -1)
    return `${slashes}${slashes.length % 2 === 0 ? "\\" : ""}${mark}`
  })
}

/** Text as a block of code, in a fence that is longer than any in it. */
export function codeBlock(text: string, language = ""): string {
  const plain = plainCharacters(text)
  const longest = Math.max(2, ...Array.from(plain.matchAll(/`+/g), ([run]) => run.length))
  const fence = "`".repeat(longest + 1)
  return `${fence}${language}\n${plain}\n${fence}`
}

/** Text as words in a line: nothing of it is read as markup. */
export function plainWords(text: string): string {
  return plainCharacters(text)
    .replace(/\s+/g, " ")
    .trim()
    .replace(/[\\`*_{}[\]<>()#+!|~&]/g, "\\$&")
}
