/** A change to one file, or a command, that a request spells out. */
export type WantedChange =
  | { kind: "run"; command: string }
  | { kind: "create"; file: string; content: string | null }
  | { kind: "append"; file: string; content: string }
  | { kind: "replace"; file: string; oldText: string; newText: string }

const file = "(?:the |a |an |new )*(?:file )?(?:called |named )?[`\"']?([\\w@./-]*[\\w-]\\.\\w{1,10})[`\"']?"
const quoted = "(?:`([^`]+)`|\"([^\"]+)\"|'([^']+)')"

const replacePattern = new RegExp(
  `\\b(?:replace|change|rename)\\s+${quoted}\\s+(?:to|with|by|into)\\s+${quoted}\\s+in\\s+${file}`,
  "i",
)
const appendPattern = new RegExp(
  `\\b(?:append|add)\\s+(?:the |a )?(?:line |text |words? )*(?:${quoted}|(.+?))\\s+(?:at the end of|to(?: the end of)?)\\s+${file}`,
  "is",
)
const writePattern = new RegExp(
  `\\b(?:write|put|save)\\s+(?:the |a )?(?:line |text |words? )*(?:${quoted}|(.+?))\\s+(?:in ?to|to|in)\\s+${file}`,
  "is",
)
const createPattern = new RegExp(
  `\\b(?:create|make|add|write)\\s+${file}(?:[,:]?\\s+(?:with|containing|that (?:says|contains|reads)|saying)(?: the (?:text|line|words?|content))?:?\\s+(?:${quoted}|([^\\n]+)))?`,
  "i",
)

/** A command is run only when it is quoted as one, in words such as "run the tests with". */
const runPattern = /\brun\b[^`.?!\n]{0,60}`([^`\n]{1,200})`/i

const firstOf = (groups: readonly (string | undefined)[]) => groups.find((group) => group !== undefined)?.trim()

/** Reads "write X to FILE", "create FILE with X", "append X to FILE", "replace 'A' with 'B' in FILE" and "run `COMMAND`". */
export function wantedChange(request: string): WantedChange | null {
  const replace = replacePattern.exec(request)
  if (replace) {
    const oldText = replace.slice(1, 4).find((group) => group !== undefined)
    const newText = replace.slice(4, 7).find((group) => group !== undefined)
    if (oldText !== undefined && newText !== undefined && replace[7])
      return { kind: "replace", file: replace[7], oldText, newText }
  }
  const append = /\bappend\b|\badd\b.+\bto\b/is.test(request) ? appendPattern.exec(request) : null
  const appended = firstOf(append?.slice(1, 5) ?? [])
  if (append?.[5] && appended) return { kind: "append", file: append[5], content: appended }
  const write = writePattern.exec(request)
  const written = firstOf(write?.slice(1, 5) ?? [])
  if (write?.[5] && written) return { kind: "create", file: write[5], content: written }
  const create = createPattern.exec(request)
  if (create?.[1]) return { kind: "create", file: create[1], content: firstOf(create.slice(2, 6)) ?? null }
  const command = runPattern.exec(request)?.[1]?.trim()
  return command ? { kind: "run", command } : null
}
