import { describe, expect, it } from "vitest"
import { envValues, isEnvFile } from "./env-values.ts"
import { homeOwner } from "./find-paths.ts"
import { patternProblem } from "./own-patterns.ts"
import { redactText } from "./redact-text.ts"
import { createScanner, type ScannerSources } from "./scanner.ts"

const plain: ScannerSources = { key: "k", owner: homeOwner("/home/alice"), known: [], patterns: [] }
const redacted = (text: string, sources: Partial<ScannerSources> = {}) =>
  redactText(text, createScanner({ ...plain, ...sources }).find(text))

describe("paths", () => {
  it.each([
    ["cat /home/alice/work/a.ts", "cat ~/work/a.ts"],
    ['{"path":"\\/home\\/alice\\/a.ts"}', '{"path":"~\\/a.ts"}'],
    ["C:\\Users\\nick\\code", "~\\code"],
    ['"C:\\\\Users\\\\nick\\\\code"', '"~\\\\code"'],
    ["/Users/bob/Library and /home/bob/x", "~/Library and ~/x"],
    ["/var/tmp/alice/build", "/var/tmp/user/build"],
    ["open /home/settings in the app", "open /home/settings in the app"],
    ["https://example.com/home/page/2", "https://example.com/home/page/2"],
  ])("of homes and of people are told without them: %s", (text, expected) => {
    expect(redacted(text)).toBe(expected)
  })

  it("hide no name that is nobody's", () => {
    expect(homeOwner("/root").user).toBeNull()
    expect(redacted("ls /root/x /srv/root/y", { owner: homeOwner("/root") })).toBe("ls ~/x /srv/root/y")
  })
})

describe("values that the server knows", () => {
  const known = [{ value: "hunter2-swordfish", label: "key of a provider" }]

  it.each([
    ["it is hunter2-swordfish."],
    ["it is hunter2-\nswordfish."],
    [`it is ${Buffer.from("hunter2-swordfish").toString("base64")}`],
  ])("are hidden wherever they stand: %j", (text) => {
    expect(redacted(text, { known })).toContain("[redacted: key of a provider]")
  })

  it("come of a .env file by the names or the look of its values", () => {
    const content = 'DB_PASSWORD="s3cret-pw"\nAPI=a1b2c3d4e5f6g7h8i9\nPORT=8080\nNODE_ENV=production\nAPI_KEY=test\n'
    expect(
      envValues(content)
        .map(({ label }) => label)
        .sort(),
    ).toEqual(["value of API", "value of DB_PASSWORD"])
  })

  it("are read from files of the environment, not from examples of them", () => {
    expect(["/a/.env", ".env.local", "C:\\x\\.env.production.local"].filter(isEnvFile)).toHaveLength(3)
    expect([".env.example", ".envrc", "src/env.ts", ".env.d/x"].filter(isEnvFile)).toEqual([])
  })
})

describe("patterns of the configuration", () => {
  it("hide what they match under their name", () => {
    const patterns = [{ name: "customer number", pattern: "C-[0-9]{6}" }]
    expect(redacted("of C-123456 and C-1", { patterns })).toBe("of [redacted: customer number] and C-1")
  })

  it("cost time in proportion to the text, whatever they are", () => {
    const hostile = ["(a+)+$", "(a|a)*b", "(.*a){20}", "(x+x+)+y"]
    const patterns = hostile.map((pattern) => ({ name: "hostile", pattern }))
    const scanner = createScanner({ ...plain, patterns })
    // A backtracking engine needs longer for this than the test may take.
    expect(scanner.find(`${"a".repeat(5_000)}!`).length).toBeLessThan(10)
  })

  it.each([["("], ["a*"], ["(?=a)b"], ["(a)\\1"], ["x".repeat(600)], ["((a{100}){100}){100}"]])(
    "are refused where they cannot work: %s",
    (pattern) => {
      expect(patternProblem(pattern)).not.toBeNull()
    },
  )
})

describe("a finding", () => {
  const secret = `AKIA${"Q7XZ".repeat(4)}`

  it("has the same digest wherever its secret stands, and another under another key", () => {
    const digests = (text: string, key = "k") =>
      createScanner({ ...plain, key })
        .find(text)
        .map(({ digest }) => digest)
    const [first, second] = digests(`${secret} and\n+${secret.slice(0, 9)}\n+${secret.slice(9)} end`)
    expect(first).toMatch(/^[0-9a-f]{32}$/)
    expect(second).toBe(first)
    expect(digests(secret, "other")).not.toEqual([first])
  })

  it("says where it stands in the text as it is written", () => {
    const text = `x \\u0041${secret.slice(1)} y`
    const [finding] = createScanner(plain).find(text)
    expect(text.slice(finding?.start, finding?.end)).toBe(`\\u0041${secret.slice(1)}`)
    expect(finding).toMatchObject({ rule: "aws-access-key", label: "AWS access key", severity: "secret" })
  })
})
