import { describe, expect, it } from "vitest"
import { replaceText } from "./replace-text.ts"
import type { StrategyName } from "./strategies.ts"

const edit = (file: string, oldString: string, newString: string, replaceAll = false) =>
  replaceText(file, { oldString, newString, replaceAll })

describe("the strategies, in their order", () => {
  const block = "if (a) {\n    open()\n    read()\n    close()\n}\n"
  it.each<[StrategyName, string, string, string, string]>([
    ["line-trimmed", "  a()\n  b()\n", "a() \nb()", "c()", "  c()\n"],
    [
      "block-anchor",
      block,
      "if (a) {\n    open()\n    read(x)\n    close()\n}",
      "if (a) {\n    open()\n    read(x)\n}",
      "if (a) {\n    open()\n    read()\n}\n",
    ],
    ["whitespace-normalized", "call( a,\n  b )\n", "call(a, b)", "call(b)", "call(b)\n"],
    ["indentation-flexible", "  x\n    y\nx\ny\n", "      x\n        y", "      q", "  q\nx\ny\n"],
    ["escape-normalized", "say('a', \"b\")\n", "say(\\'a\\', \\\"b\\\")", 'say(\\"c\\")', 'say("c")\n'],
    ["trimmed-boundary", "one two\none  two\n", "\n one two \n", "\n three \n", "three\none  two\n"],
    [
      "context-aware",
      "{\none 1\ntwo\nsome words\nmore of them\n}\n",
      "{\none 1\ntwo\n[7, 8]\n[9, 0]\n}",
      "{\none 2\ntwo\n[7, 8]\n[9, 0]\n}",
      "{\none 2\ntwo\nsome words\nmore of them\n}\n",
    ],
  ])("%s finds a place that the ones before it do not", (name, file, oldString, newString, right) => {
    const made = edit(file, oldString, newString)
    expect([made.strategy?.name, made.text]).toEqual([name, right])
  })

  it("passes several places on to the next strategy", () => {
    const file = "  go()\n    stop()\n\n\tgo()\n\tstop()\n"
    expect(edit(file, "go()\n  stop()", "wait()")).toMatchObject({
      text: "  wait()\n\n\tgo()\n\tstop()\n",
      strategy: { name: "indentation-flexible" },
    })
  })

  it("replaces all places that read the same on request", () => {
    const file = "  a( 1 )\nb\n    a( 1 )\n"
    expect(edit(file, "a(1)", "c(1)", true)).toMatchObject({ text: "  c( 1 )\nb\n    c( 1 )\n", count: 2 })
  })

  it("keeps unchanged lines as the file has them", () => {
    const file = "f() {\n\tconst a = 1   // one\n\treturn  a\n}\n"
    const made = edit(
      file,
      "f() {\n  const a = 1 // one\n  return a\n}",
      "f() {\n  const a = 1 // one\n  log(a)\n  return a\n}",
    )
    expect(made.text).toBe("f() {\n\tconst a = 1   // one\n\tlog(a)\n\treturn  a\n}\n")
  })

  it("takes line numbers off the new text, too", () => {
    expect(edit("foo\nbar\n", "1: foo\n2: bar", "1: foo\nnew\n2: bar").text).toBe("foo\nnew\nbar\n")
  })

  it("keeps CRLF where lines are found loosely", () => {
    expect(edit("a\r\n  b()\r\nc\r\n", "b() \nc", "b() \nd()\nc").text).toBe("a\r\n  b()\r\n  d()\r\nc\r\n")
  })

  it("refuses a place that is much larger than what was asked for", () => {
    const file = `a (${" ".repeat(2_000)}b)\n`
    expect(() => edit(file, "a (b)", "c")).toThrow("lines that oldString does not show")
  })
})
