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
/** Samples with a public part are one kind by the first word of their name; each other one is a kind of its own. */
function kindOf({ name, publicPart }: SecretSample): string {
  return publicPart === "" ? name : (name.split(" ")[0] ?? "")
}

/** One sample of each kind, and a known value. */
const samples: readonly SecretSample[] = [
  ...new Map(secretSamples.map((sample) => [kindOf(sample), sample])).values(),
  { name: "known value", secret: known.value, publicPart: "", text: `it is ${known.value} now` },
]

const published = (text: string) =>
  JSON.stringify(redactRow(scanRow(scanner, { title: text, text }), redactAll)).replaceAll("\\n", " ")

/** The public beginnings of some secrets: numbers of bots and names of users. */
const publicBeginning = /^(?:\d{9}:AA|[a-z]+:|M\w{23}\.\w{6}\.)/

/** So many characters of a secret may stay visible: they are too few to be of use. */
const mostLeaked = 5

/**
 * One line, placed so that the cut falls `at` characters into the sample: at the end of the kept head, or (`isTail`) at
 * the start of the kept tail.
 */
function cutText(cut: Cut, { text }: SecretSample, { at, isTail }: { at: number; isTail: boolean }): string {
  const line = text.replaceAll("\n", " ")
  const place = Math.min(at, line.length)
  // Long enough that the text is cut: the limit for outputs of commands is the highest.
  const middle = words(cut.head > 10_000 ? 60_000 : 8_000)
  if (isTail && cut.tail > 0) return `${words(cut.head)}${middle}${line}${words(cut.tail - (line.length - place))}`
  return `${words(cut.head - place)}${line}${middle}${words(cut.tail)}`
}

describe("a text that was shortened", () => {
  it("is tried with at least forty kinds of secrets", () => {
    expect(samples.length).toBeGreaterThanOrEqual(40)
  })

  it.each(cuts)("shows only a few characters of a secret at its cut: $name", async (cut) => {
    const at = fc.nat({ max: 240 })
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...samples), at, fc.boolean(), async (sample, place, isTail) => {
        const secret = { ...sample, publicPart: sample.publicPart || (publicBeginning.exec(sample.secret)?.[0] ?? "") }
        const text = await cut.shortened(cutText(cut, sample, { at: place, isTail }))
        expect(longestLeak(published(text), secret)).toBeLessThanOrEqual(mostLeaked)
      }),
      cut.tail > 1_000 ? drawn(100, 40) : drawn(300, 100),
    )
  })
})
