import { drawn } from "@docket/config/sampling"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { growth } from "../../test/growth.ts"
import { matchWildcard } from "./wildcard.ts"

/** Straight from the definition; exponential, so only for short inputs. */
function oracle(pattern: string, text: string): boolean {
  const [head, ...rest] = [...pattern]
  if (head === undefined) return text === ""
  const tail = rest.join("")
  if (head === "*") return oracle(tail, text) || (text !== "" && oracle(pattern, text.slice(1)))
  return text !== "" && (head === "?" || head === text[0]) && oracle(tail, text.slice(1))
}

const symbols = (alphabet: string) => fc.string({ unit: fc.constantFrom(...alphabet), maxLength: 9 })

describe("matchWildcard", () => {
  it.each([
    ["*", "", true],
    ["*.env", "config/.env", true],
    ["*.env", ".env.local", false],
    ["*.env.*", ".env.local", true],
    ["git *", "git", true],
    ["git *", "git status", true],
    ["git *", "gitk", false],
    ["git ?", "git", false],
    ["a?c", "abc", true],
    ["a.c", "abc", false],
    ["/tmp/*", "/tmp/a\nb", true],
    ["Src/*", "src/a", false],
    ["", "", true],
    ["", "a", false],
  ])("%j on %j is %j", (pattern, text, expected) => {
    expect(matchWildcard(pattern, text)).toBe(expected)
  })

  it("agrees with the definition", () => {
    fc.assert(
      fc.property(symbols("ab *?"), symbols("ab *?"), (pattern, text) => {
        const expected = oracle(pattern, text) || (pattern.endsWith(" *") && oracle(pattern.slice(0, -2), text))
        expect(matchWildcard(pattern, text)).toBe(expected)
      }),
      drawn(2_000),
    )
  })

  it("takes time by length on patterns that make regular expressions explode", async () => {
    const pattern = `${"*a".repeat(60)}b`
    const match = (length: number) => expect(matchWildcard(pattern, "a".repeat(length))).toBe(false)
    expect(await growth(match, { small: 20_000, large: 200_000 })).toBeLessThan(40)
  })
})
