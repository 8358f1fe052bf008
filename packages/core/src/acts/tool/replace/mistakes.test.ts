import { describe, expect, it } from "vitest"
import { replaceText } from "./replace-text.ts"
import { type CodeSample, codeSamples } from "./test/code-samples.ts"

/** What a model sends in place of the exact texts. */
type Mistake = (sample: CodeSample) => { oldText: string; newText: string }

const eachLine = (text: string, change: (line: string, index: number) => string) =>
  text.split("\n").map(change).join("\n")
const both = (change: (text: string) => string): Mistake => {
  return ({ oldText, newText }) => ({ oldText: change(oldText), newText: change(newText) })
}
const indentOf = (line: string) => /^[ \t]*/.exec(line)?.[0] ?? ""
const leastIndent = (text: string) =>
  Math.min(
    ...text
      .split("\n")
      .filter((line) => line.trim() !== "")
      .map((line) => indentOf(line).length),
  )
const escaped = (text: string) => text.replaceAll("\\", "\\\\").replaceAll('"', '\\"')
/** Changes the line that both texts begin with after the first one, in the old and the new text alike. */
const inSharedLine = (change: (line: string) => string): Mistake => {
  return ({ oldText, newText }) => {
    const old = oldText.split("\n")
    const shared = old.findIndex((line, at) => at > 0 && line.trim().length > 3 && newText.includes(`\n${line}\n`))
    const line = old[shared] ?? ""
    const put = (text: string) => eachLine(text, (one) => (one === line ? change(one) : one))
    return { oldText: put(oldText), newText: put(newText) }
  }
}

const mistakes: Record<string, Mistake> = {
  "no indentation at all": both((text) => eachLine(text, (line) => line.slice(leastIndent(text)))),
  "two spaces too many": both((text) => eachLine(text, (line) => (line === "" ? line : `  ${line}`))),
  "four spaces too many": both((text) => eachLine(text, (line) => (line === "" ? line : `    ${line}`))),
  "one tab too many": both((text) => eachLine(text, (line) => (line === "" ? line : `\t${line}`))),
  "an indentation of twice the width": both((text) => eachLine(text, (line) => indentOf(line) + line)),
  "tabs in place of spaces": both((text) =>
    eachLine(text, (line) => indentOf(line).replace(/ {2}/g, "\t") + line.trimStart()),
  ),
  "spaces in place of tabs": both((text) =>
    eachLine(text, (line) => indentOf(line).replaceAll("\t", "    ") + line.trimStart()),
  ),
  "blanks at the ends of lines": both((text) => eachLine(text, (line) => `${line}  `)),
  "a first line without its indentation": both((text) => text.trimStart()),
  "blank lines around it": both((text) => `\n\n${text}\n\n`),
  "a blank line before it": both((text) => `\n${text}`),
  "a line break after it": both((text) => `${text}\n`),
  "a line break and blanks after it": both((text) => `${text}\n    `),
  "escaped line breaks": both((text) => escaped(text).replaceAll("\n", "\\n").replaceAll("\t", "\\t")),
  "escaped quotes": both((text) => text.replaceAll('"', '\\"').replaceAll("'", "\\'")),
  "line numbers of the read output": both((text) => eachLine(text, (line, index) => `${index + 7}: ${line}`)),
  "line numbers before a bar": both((text) =>
    eachLine(text, (line, index) => `${String(index + 7).padStart(5)}| ${line}`),
  ),
  "a Markdown fence": both((text) => `\`\`\`ts\n${text}\n\`\`\``),
  "typographic quotes": both((text) => text.replaceAll("'", "’").replaceAll('"', "”")),
  "spaces that do not break": both((text) =>
    eachLine(text, (line) => indentOf(line) + line.trim().replace(" ", "\u00A0")),
  ),
  "CRLF line ends": both((text) => text.replaceAll("\n", "\r\n")),
  "two spaces within a line": inSharedLine((line) => indentOf(line) + line.trim().replaceAll(" ", "  ")),
  "a blank line too many": ({ oldText, newText }) => ({
    oldText: oldText.replace("\n", "\n\n"),
    newText: newText.replace("\n", "\n\n"),
  }),
  "a comment that it made up": inSharedLine((line) => `${line} // as before`),
  "a line in other words": inSharedLine((line) => line.replace(/\w(?=\W*$)/, "x")),
  "spaces inside brackets": inSharedLine((line) => line.replace("(", "( ").replace(")", " )")),
}

describe("the mistakes of models", () => {
  const cases = Object.entries(mistakes).flatMap(([mistake, make]) =>
    codeSamples
      .map((sample) => ({ mistake, make, sample }))
      .filter(({ sample }) => make(sample).oldText !== sample.oldText),
  )
  it.each(cases.map((one) => [one.sample.name, one.mistake, one] as const))("%s with %s is edited", (_, __, one) => {
    const { sample, make } = one
    const { oldText, newText } = make(sample)
    const right = sample.file.replace(sample.oldText, () => sample.newText)
    expect(replaceText(sample.file, { oldString: oldText, newString: newText, replaceAll: false }).text).toBe(right)
  })
})
