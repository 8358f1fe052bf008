/** The white space at the beginning of a line. */
export function indentOf(line: string): string {
  return /^[ \t\u00A0]*/.exec(line)?.[0] ?? ""
}

/** Gives a new line the indentation that fits the file. */
export type Reindent = (indent: string) => string

/**
 * Learns from lines that stand for each other how the file indents what the model indents otherwise. For an indentation
 * that no line has, the next smaller one counts, and one level of the file for one level of the model.
 * @param pairs the indentation that the model wrote, and that of the file
 */
export function learnIndentation(pairs: readonly (readonly [model: string, file: string])[]): Reindent {
  const known = new Map<string, string>()
  for (const [model, file] of pairs) if (!known.has(model)) known.set(model, file)
  if ([...known].every(([model, file]) => model === file)) return (indent) => indent
  const byWidth = [...known].sort(([a], [b]) => a.length - b.length)
  const level = levelOf(byWidth)
  return (indent) => {
    const exact = known.get(indent)
    if (exact !== undefined) return exact
    const below = byWidth.findLast(([model]) => model.length < indent.length)
    if (below !== undefined) return below[1] + level.deeper(indent.slice(below[0].length))
    const [lowest = "", inFile = ""] = byWidth[0] ?? []
    return inFile.slice(0, Math.max(0, inFile.length - level.deeper(lowest.slice(indent.length)).length))
  }
}

/** How the file writes white space by which the model goes deeper. */
function levelOf(byWidth: readonly (readonly [string, string])[]): { deeper(more: string): string } {
  for (const [index, [model, file]] of byWidth.entries()) {
    const below = byWidth[index - 1]
    if (below === undefined || !file.startsWith(below[1])) continue
    const [step, inFile] = [model.length - below[0].length, file.slice(below[1].length)]
    if (step > 0 && inFile !== "") return { deeper: (more) => steps(more, step, inFile) }
  }
  const [model, file] = byWidth.find(([, inFile]) => inFile !== "") ?? ["", ""]
  if (file.startsWith("\t") && !model.startsWith("\t")) return { deeper: tabs }
  if (model.startsWith("\t") && !file.startsWith("\t")) {
    return { deeper: (more) => more.replaceAll("\t", perTab(model, file)) }
  }
  return { deeper: (more) => more }
}

/** Whole levels as the file writes them; what is left of a level stays. */
function steps(more: string, step: number, inFile: string): string {
  return inFile.repeat(Math.floor(more.length / step)) + more.slice(more.length - (more.length % step))
}

function tabs(more: string): string {
  const width = more.length % 4 === 0 ? 4 : 2
  return steps(more, width, "\t")
}

function perTab(model: string, file: string): string {
  return " ".repeat(Math.max(1, Math.round(file.length / Math.max(1, model.length))))
}
