import { drawn } from "@docket/config/sampling"
import fc from "fast-check"
import { describe, expect, it } from "vitest"
import { redactAll, redactRow } from "./redact-row.ts"
import { scanRow } from "./scan-row.ts"
import { createScanner } from "./scanner.ts"
import { type Cut, cuts, words } from "./test/cut-texts.ts"
import { longestLeak } from "./test/longest-leak.ts"
import { type SecretSample, secretSamples } from "./test/secret-samples.ts"

const known = { value: "correct-horse-battery-staple", label: "key of a provider" }
const scanner = createScanner({
  key: "k",
  owner: { home: "/home/alice", user: "alice" },
  known: [known],
  patterns: [],
})
/** One of each kind, and what is known to be secret. */
const samples: readonly SecretSample[] = [
  ...new Map(
    secretSamples.map((sample) => [sample.name.split(" ")[0] + (sample.publicPart === "" ? sample.name : ""), sample]),
  ).values(),
  { name: "known value", secret: known.value, publicPart: "", text: `it is ${known.value} now` },
]

const published = (text: string) =>
  JSON.stringify(redactRow(scanRow(scanner, { title: text, text }), redactAll)).replaceAll("\\n", " ")

/** How secrets begin with what everybody may see: numbers of bots and names of users. */
const publicBeginning = /^(?:\d{9}:AA|[a-z]+:|M\w{23}\.\w{6}\.)/

/** Most characters of a secret that may stay: fewer than six open nothing. */
const few = 5

/** A text in one line that is cut so many characters into the sample, at the end of its head or before its tail. */
function cutText(cut: Cut, { text }: SecretSample, { at, isTail }: { at: number; isTail: boolean }): string {
  const line = text.replaceAll("\n", " ")
  const place = Math.min(at, line.length)
  // Longer than what is left whole: outputs of commands are the longest.
  const middle = words(cut.head > 10_000 ? 60_000 : 8_000)
  if (isTail && cut.tail > 0) return `${words(cut.head)}${middle}${line}${words(cut.tail - (line.length - place))}`
  return `${words(cut.head - place)}${line}${middle}${words(cut.tail)}`
}

describe("a text that was shortened", () => {
  it("is tried with forty kinds of secrets", () => {
    expect(samples.length).toBeGreaterThanOrEqual(40)
  })

  it.each(cuts)("shows only a few characters of a secret at its cut: $name", async (cut) => {
    const at = fc.nat({ max: 240 })
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...samples), at, fc.boolean(), async (sample, place, isTail) => {
        const secret = { ...sample, publicPart: sample.publicPart || (publicBeginning.exec(sample.secret)?.[0] ?? "") }
        const text = await cut.shortened(cutText(cut, sample, { at: place, isTail }))
        expect(longestLeak(published(text), secret)).toBeLessThanOrEqual(few)
      }),
      cut.tail > 1_000 ? drawn(100, 40) : drawn(300, 100),
    )
  })
})
