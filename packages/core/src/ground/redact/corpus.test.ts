import { describe, expect, it } from "vitest"
import { secretKinds } from "./find-kinds.ts"
import { presetRuleIDs } from "./preset-rules.ts"
import { redactText } from "./redact-row.ts"
import { createScanner } from "./scanner.ts"
import { longestLeak } from "./test/longest-leak.ts"
import { harmlessTexts, madeUp, namedByText, type SecretSample, secretSamples } from "./test/secret-samples.ts"

const scanner = createScanner({ key: "k", owner: { home: "/home/alice", user: "alice" }, known: [], patterns: [] })
const redacted = (text: string) => redactText(text, scanner.find(text))

/** Ways in which one secret reads differently to a program and the same to whoever wants it. */
const disguises: Record<string, (secret: string) => string> = {
  "as it is": (it) => it,
  "broken over two lines": (it) => middle(it, "\n"),
  "broken by a terminal, with an indent": (it) => middle(it, "\r\n    "),
  "added by a diff": (it) => `@@ -1,2 +1,2 @@\n+${it.replaceAll("\n", "\n+").replace(/^.{12}/s, "$&\n+")}\n context`,
  "in a diff beside what it replaces": (it) =>
    `@@ -1,2 +1,2 @@\n-old first\n+${middle(it.replaceAll("\n", "\n+"), "\n-old second\n+")}\n context`,
  "over two hunks of a diff": (it) => `+${middle(it.replaceAll("\n", "\n+"), "\n@@ -9,2 +9,2 @@ f()\n+")}\n`,
  "in colours": (it) => `\u001b[31m${middle(it, "\u001b[1;32m")}\u001b[0m`,
  "with characters without width": (it) => middle(it, "\u200b\u2060"),
  "in JSON": (it) => JSON.stringify(it).slice(1, -1).replaceAll("/", "\\/"),
  "in JSON, its letters escaped": (it) => [...it].map((letter) => `\\u${code(letter, 4)}`).join(""),
  "in JSON within JSON": (it) => JSON.stringify(JSON.stringify({ at: `\n${it}` })),
  "encoded for a URL": (it) => [...it].map((letter) => `%${code(letter, 2)}`).join(""),
  "encoded for a URL twice": (it) => [...it].map((letter) => `%25${code(letter, 2)}`).join(""),
  "after an escaped line break": (it) => `"line\\n${it}\\nnext"`,
}

const code = (letter: string, length: number) => letter.charCodeAt(0).toString(16).padStart(length, "0")
const middle = (text: string, between: string) => {
  const at = Math.floor(text.length * 0.6)
  return text.slice(0, at) + between + text.slice(at)
}

/** Other samples are found only by the name or the text around them. */
const isFoundByItself = ({ publicPart }: SecretSample) => publicPart !== ""

describe("a secret", () => {
  it("has at least thirty known kinds", () => {
    expect(new Set(secretKinds.map(({ id }) => id)).size).toBeGreaterThanOrEqual(30)
    expect(secretSamples.length).toBeGreaterThanOrEqual(80)
  })

  it.each(secretSamples)("is taken out of its text: $name", (sample) => {
    expect(longestLeak(redacted(sample.text), sample)).toBeLessThanOrEqual(3)
    expect(redacted(sample.text)).toContain("[redacted: ")
  })

  it.each(Object.entries(disguises))("is found %s", (_, disguise) => {
    const left = secretSamples.filter(isFoundByItself).filter((sample) => {
      const text = `some text ${disguise(sample.secret)} and more`
      return longestLeak(redacted(text), sample) > 4
    })
    expect(left.map(({ name }) => name)).toEqual([])
  })
})

/** What may stand within a value, of which nothing but its name or its place in a URL says what it is. */
const breaks: Record<string, string> = {
  "broken over two lines": "\n",
  "broken by a terminal, with an indent": "\r\n    ",
  "over two lines of a diff": "\n+",
  "over two hunks of a diff": "\n@@ -9,2 +9,2 @@ f()\n+",
  "in a diff beside what it replaces": "\n-old second\n+",
  "in colours": "\u001b[1;32m",
  "with characters without width": "\u200b\u2060",
  "over two lines in JSON": "\\n",
}

describe("a value that its name or a URL gives away", () => {
  it.each(Object.entries(breaks))("is found %s", (_, between) => {
    const left = namedByText.flatMap((sample) =>
      [0.25, 0.5, 0.8].flatMap((share) => {
        const at = sample.text.indexOf(sample.secret) + Math.floor(sample.secret.length * share)
        const text = `+${sample.text.slice(0, at)}${between}${sample.text.slice(at)}`
        return longestLeak(redacted(text), sample) > 3 ? [`${sample.name} at ${share}: ${redacted(text)}`] : []
      }),
    )
    expect(left).toEqual([])
  })

  it.each([
    "the password: see below\nand then more",
    "API_TOKEN_NAME=staging\nOTHER_TOKEN=production\nPORT=8080",
    "open http://localhost:3000\nor write to mail@example.com",
    "token: string\nsecretName: my-app-tls\npasswordField = form.password\n",
  ])("does not go on into the next line: %j", (text) => {
    expect(redacted(text)).toBe(text)
  })
})

it.each(harmlessTexts)("text without a secret stays unchanged: %s", (text) => {
  expect(redacted(text)).toBe(text)
})

it("an image in base64 stays unchanged", () => {
  const image = `data:image/png;base64,${madeUp("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/", 200_000, 9)}`
  expect(redacted(image)).toBe(image)
})

it("the secretlint preset has the known rules, and no others", () => {
  expect(presetRuleIDs).toEqual([
    "aws",
    "gcp",
    "privatekey",
    "npm",
    "basicauth",
    "slack",
    "sendgrid",
    "shopify",
    "stripe",
    "github",
    "gitlab",
    "grafana",
    "openai",
    "anthropic",
    "groq",
    "huggingface",
    "linear",
    "notion",
    "1password",
    "database-connection-string",
    "hashicorp-vault",
    "vercel",
    "databricks",
    "docker",
    "figma",
    "cloudflare",
    "tailscale",
  ])
})

it("the scan cannot be switched off by the text that it reads", () => {
  const [sample] = secretSamples
  const text = `<!-- secretlint-disable -->\n${sample?.secret}\n// secretlint-disable-line`
  expect(redacted(text)).toContain("[redacted: ")
})
