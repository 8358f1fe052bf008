import { describe, expect, it } from "vitest"
import { redactText } from "./redact-row.ts"
import { createScanner } from "./scanner.ts"
import { harmlessLines } from "./test/harmless-lines.ts"
import { namedSecrets } from "./test/named-secrets.ts"

const scanner = createScanner({ key: "k", owner: { home: "/home/alice", user: null }, known: [], patterns: [] })
const redacted = (text: string) => redactText(text, scanner.find(text)).replace(/\[redacted: [^\]]*\]/g, "[hidden]")

describe("a value whose name or place says that it is secret", () => {
  it.each(namedSecrets)("is hidden, and nothing else of: $text", ({ text, secret }) => {
    const at = text.lastIndexOf(secret)
    expect(redacted(text)).toBe(`${text.slice(0, at)}[hidden]${text.slice(at + secret.length)}`)
  })
})

describe("harmless lines about secrets", () => {
  it("are at least five hundred", () => {
    expect(new Set(harmlessLines).size).toBeGreaterThanOrEqual(500)
  })

  it("stay unchanged one by one", () => {
    expect(
      harmlessLines.filter((line) => redacted(line) !== line).map((line) => `${line} → ${redacted(line)}`),
    ).toEqual([])
  })

  it("stay unchanged as one text", () => {
    const text = harmlessLines.join("\n")
    expect(
      redacted(text)
        .split("\n")
        .filter((line, index) => line !== harmlessLines[index]),
    ).toEqual([])
  })
})
