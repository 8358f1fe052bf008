import { drawn } from "@docket/config/sampling"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { splitBlocks } from "./split-blocks.ts"

describe("splitBlocks", () => {
  it("cuts at blank lines", () => {
    expect(splitBlocks("# One\n\ntwo\nlines\n\n\nthree")).toEqual(["# One", "two\nlines", "three"])
  })

  it("keeps a fenced block whole, and an unclosed one open", () => {
    expect(splitBlocks("a\n\n```ts\nx\n\ny\n```\n\nb")).toEqual(["a", "```ts\nx\n\ny\n```", "b"])
    expect(splitBlocks("a\n\n```ts\nx\n\ny")).toEqual(["a", "```ts\nx\n\ny"])
  })

  it("keeps loose lists and their continuations together", () => {
    const list = "1. one\n\n   more\n\n2. two"
    expect(splitBlocks(`${list}\n\nafter`)).toEqual([list, "after"])
  })

  it("keeps text with link definitions whole", () => {
    const text = "see [x]\n\n[x]: https://example.test"
    expect(splitBlocks(text)).toEqual([text])
  })

  it("never changes a settled block while text is appended", () => {
    const pieces = fc.array(fc.constantFrom("word ", "\n", "\n\n", "- item", "```\n", "  indent", "# h", "1. n"))
    fc.assert(
      fc.property(pieces, pieces, (head, tail) => {
        const before = splitBlocks(head.join(""))
        const after = splitBlocks(head.join("") + tail.join(""))
        expect(after.slice(0, Math.max(0, before.length - 1))).toEqual(before.slice(0, -1))
      }),
      drawn(),
    )
  })
})
