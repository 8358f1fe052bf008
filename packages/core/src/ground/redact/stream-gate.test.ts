import { drawn } from "@docket/config/sampling"
import fc from "fast-check"
import { expect, it } from "vitest"
import { redactAll, redactRow, redactText } from "./redact-row.ts"
import { scanRow } from "./scan-row.ts"
import { createScanner } from "./scanner.ts"
import { createStreamGate } from "./stream-gate.ts"
import { longestLeak } from "./test/longest-leak.ts"
import { namedByText, prefixedSamples, secretSamples } from "./test/secret-samples.ts"

const known = { value: "correct-horse-battery-staple", label: "key of a provider" }
const scanner = createScanner({
  key: "k",
  owner: { home: "/home/alice", user: "alice" },
  known: [known],
  patterns: [],
})
const knownSample = { name: "known value", secret: known.value, publicPart: "", text: `it is ${known.value} now` }

const prose = fc.constantFrom("", "Let me see. ", "I read the file:\n\n", "- one\n- two ", "npm test -- ", '{"a": "')
const wrapped = fc.constantFrom("", "\n", "\r\n  ", "\u001b[0m", "\u200b")
/** A text that grows to its whole by pieces. */
const growing = fc.record({
  sample: fc.constantFrom(...secretSamples, knownSample),
  before: prose,
  after: prose,
  cuts: fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { maxLength: 40 }),
})

function* prefixesOf(text: string, cuts: readonly number[]): Generator<string> {
  for (const cut of cuts.toSorted((left, right) => left - right)) yield text.slice(0, Math.floor(cut * text.length))
  yield text
}

const gateOf = () => createStreamGate(scanner, redactText)
const fewCharacters = 3

it("a stream shows only a few characters of a secret, however cut", () => {
  fc.assert(
    fc.property(growing, ({ sample, before, after, cuts }) => {
      const gate = gateOf()
      for (const text of prefixesOf(`${before}${sample.text} ${after}`, cuts)) gate.grow(text)
      expect(longestLeak(gate.shown(), sample)).toBeLessThanOrEqual(fewCharacters)
    }),
    drawn(600, 200),
  )
})

it("a secret split by lines, colours or zero-width characters stays equally hidden", () => {
  const samples = fc.constantFrom(...prefixedSamples, ...namedByText, knownSample)
  fc.assert(
    fc.property(samples, wrapped, fc.double({ min: 0, max: 1, noNaN: true }), growing, (sample, wrap, at, { cuts }) => {
      const place = Math.floor(at * sample.secret.length)
      const secret = sample.secret.slice(0, place) + wrap + sample.secret.slice(place)
      const gate = gateOf()
      for (const text of prefixesOf(sample.text.replace(sample.secret, secret), cuts)) gate.grow(text)
      expect(longestLeak(gate.shown(), sample)).toBeLessThanOrEqual(fewCharacters)
    }),
    drawn(600, 200),
  )
})

it("a secret split over several parts shows few characters in each", () => {
  const samples = fc.constantFrom(...prefixedSamples, ...namedByText, knownSample)
  const places = fc.array(fc.double({ min: 0, max: 1, noNaN: true }), { minLength: 1, maxLength: 3 })
  fc.assert(
    fc.property(samples, places, (sample, cuts) => {
      let before: readonly string[] = []
      let start = 0
      const shown: string[] = []
      const first = sample.text.indexOf(sample.secret)
      for (const cut of [...cuts.toSorted((left, right) => left - right), null]) {
        const end = cut === null ? sample.text.length : Math.max(start, first + Math.floor(cut * sample.secret.length))
        const scanned = scanRow(scanner, { type: "text", text: sample.text.slice(start, end) }, { before })
        before = [...before, ...scanned.tails]
        shown.push(JSON.stringify(redactRow(scanned, redactAll)))
        start = end
      }
      const pieces = shown.map((part) => longestLeak(part, sample))
      expect(Math.max(...pieces)).toBeLessThanOrEqual(fewCharacters + 4)
    }),
    drawn(600, 200),
  )
})

it("a harmless text is shown once, except its last word", () => {
  const gate = gateOf()
  const text = "The quick brown fox jumps over the lazy dog"
  const pieces = Array.from(text, (_, index) => gate.grow(text.slice(0, index + 1)))
  expect(pieces.join("")).toBe("The quick brown fox jumps over the lazy ")
  expect(gate.shown()).toBe(pieces.join(""))
})

it("each piece of a long stream is read a few times only", () => {
  let scanned = 0
  const counted = (text: string) => {
    scanned += text.length
    return text
  }
  const gate = createStreamGate(
    {
      ...scanner,
      find: (text, options) => scanner.find(counted(text), options),
      openAt: (text) => scanner.openAt(counted(text)),
    },
    redactText,
  )
  let text = ""
  for (let count = 0; count < 4_000; count++) {
    text += "some words of an answer "
    gate.grow(text)
  }
  expect(scanned / 4_000).toBeLessThan(1_000)
})
