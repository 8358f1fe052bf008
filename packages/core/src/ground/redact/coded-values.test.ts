import { describe, expect, it } from "vitest"
import { envValues } from "./known-values.ts"
import { redactText } from "./redact-row.ts"
import { createScanner } from "./scanner.ts"

const values = String.raw`
DATABASE_URL=postgres://bob:p%40ssword9x@db:5432/app
SMTP_PW=a%2Fb%2Bnine99
WINPW=C\new\table9zz
HTML_PW="fish&#38;chips&amp;tea7"
FAMILY_PW=fam‍ily-code9
CAFE_PW=café-noir-77
COMPOSED_PW=re${"e\u0301"}l-words-88
AMPERSAND_PW=salt&pepper<9
PLAIN_PW=nine99lives
`
const scanner = createScanner({
  key: "k",
  owner: { home: "/home/alice", user: null },
  known: envValues(values),
  patterns: [],
})
const redacted = (text: string) => redactText(text, scanner.find(text))
const hides = (text: string, label: string) => expect(redacted(text)).toBe(`it is [redacted: value of ${label}] now`)

describe("a known value that contains escapes", () => {
  it.each(values.trim().split("\n"))("is hidden in its original form: %s", (line) => {
    const [, name = "", value = ""] = /^(\w+)="?(.*?)"?$/.exec(line) ?? []
    hides(`it is ${value} now`, name)
  })

  it.each(values.trim().split("\n"))("is hidden in JSON and over two lines: %s", (line) => {
    const [, name = "", value = ""] = /^(\w+)="?(.*?)"?$/.exec(line) ?? []
    hides(`it is ${JSON.stringify(value).slice(1, -1)} now`, name)
    hides(`it is ${value.slice(0, 9)}\n${value.slice(9)} now`, name)
  })

  it.each([
    ["composed", "caf\u00e9-noir-77", "CAFE_PW"],
    ["decomposed", "cafe\u0301-noir-77", "CAFE_PW"],
    ["percent-encoded as UTF-8", "caf%C3%A9-noir-77", "CAFE_PW"],
    ["percent-encoded, decomposed", "cafe%CC%81-noir-77", "CAFE_PW"],
    ["percent-encoded twice", "caf%25C3%25A9-noir-77", "CAFE_PW"],
    ["composed, where the known value is decomposed", "re\u00e9l-words-88", "COMPOSED_PW"],
    ["with HTML entities", "salt&amp;pepper&lt;9", "AMPERSAND_PW"],
    ["with HTML entities twice", "salt&amp;amp;pepper&amp;lt;9", "AMPERSAND_PW"],
    ["percent-encoded once more", "a%252Fb%252Bnine99", "SMTP_PW"],
  ])("is hidden %s", (_, text, name) => {
    hides(`it is ${text} now`, name)
  })

  it.each([["C:\\"], ["%"], ["%2"], ["\\x4"]])("is hidden behind %j, which could start an escape", (before) => {
    expect(redacted(`it is ${before}nine99lives now`)).toBe(`it is ${before}[redacted: value of PLAIN_PW] now`)
  })

  it("has one digest, however it is written", () => {
    const digests = ["caf\u00e9-noir-77", "cafe\u0301-noir-77", "caf%C3%A9-noir-77"].flatMap((text) =>
      scanner.find(`it is ${text} now`).map(({ digest }) => digest),
    )
    expect(digests).toHaveLength(3)
    expect(new Set(digests).size).toBe(1)
  })
})

describe("a password in a URL", () => {
  // ‹…› marks what has to be hidden.
  it.each([
    "https://‹bob:a%40hunterfox›@example.org/x",
    "postgres://‹bob:%40hunterfoxa›@db:5432/x",
    "postgres://‹bob:hunter%2Ffox99xyz›@db/x",
    "postgres://‹bob:hunter%3Afox99xyz›@db/x",
    "mongodb+srv://‹bob:x%40hunterfox›@cluster0.mongodb.net/x",
    "postgres://‹bob:ab@cd@hunterfox›@example.org",
    "postgres://‹bob:hunter:fox›@example.org",
    '{"url":"postgres:\\/\\/‹bob:x%2Fhunterfox›@db\\/x"}',
    "https%3A%2F%2F‹bob%3Ahunterfox›%40example.org",
    "https://‹Zq7xK2mV9tLp4Rw8›@github.com/x/y",
  ])("is hidden with its user, whatever signs it has: %s", (marked) => {
    const shown = marked.replace(/‹.*›/, "[hidden]")
    expect(redacted(marked.replace(/[‹›]/g, "")).replace(/\[redacted: [^\]]*\]/, "[hidden]")).toBe(shown)
  })

  it.each([
    "https://git@github.com/x/y and mail to bob@example.org",
    "http://localhost:3000/@scope/name@1.2.3",
    "https://example.org/a%40b/c?to=bob%40example.org",
    "https://bob-at-123456789012@git-codecommit.example.com/x",
    "docker://registry.example:5000/app:1.2@sha256",
    "npm:@scope/name@npm:1.0.0, https://registry.example/@scope%2fname",
  ])("is not found where there is none: %s", (text) => {
    expect(redacted(text)).toBe(text)
  })
})
