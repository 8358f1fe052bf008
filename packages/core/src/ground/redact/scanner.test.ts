import { describe, expect, it } from "vitest"
import { homeOwner } from "./find-paths.ts"
import { envValues, isEnvFile } from "./known-values.ts"
import { patternProblem } from "./own-patterns.ts"
import { redactText } from "./redact-row.ts"
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
  ])("are shown without homes and account names: %s", (text, expected) => {
    expect(redacted(text)).toBe(expected)
  })

  it("keep an account name that is no person's", () => {
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

  it("come from a .env file: six characters or more, shorter for secrets", () => {
    const hidden =
      'DB_PASSWORD="s3cret-pw"\nAPI=a1b2c3d4e5f6g7h8i9\nGREETING=hello there\nPIN=4711\nAPI_KEY=abc\nID=123456\n'
    const names = envValues(hidden).map(({ label }) => label.replace("value of ", ""))
    expect(names.sort()).toEqual(["API", "API_KEY", "DB_PASSWORD", "GREETING", "ID", "PIN"])
  })

  it("are never a path, a version, or a word of settings", () => {
    const shown = `
      PORT=8080\nNODE_ENV=production\nLOG_LEVEL=verbose\nDEBUG=debug\nAPI_KEY=test\nMODE=development\nDB=postgresql
      DATA=/var/lib/data\nKEY_FILE=./keys/server.pem\nHOME_DIR=~/work/project\nSECRET_PATH=C:\\Users\\x\\key.pem
      NODE_VERSION=v20.11.1\nTOKEN_VERSION=1.2.3-rc.1\nSCHEMA=packages/db/schema.prisma\nPASSWORD=changeme\nSECRET=\nTOKEN=ab`
    expect(envValues(shown.replaceAll("\n      ", "\n"))).toEqual([])
  })

  it("are found only as whole words when short", () => {
    const known = [{ value: "abc", label: "value of API_KEY" }]
    expect(redacted("abc, abcd and x_abc: (abc)", { known })).toBe(
      "[redacted: value of API_KEY], abcd and x_abc: ([redacted: value of API_KEY])",
    )
  })

  it("are read from files of the environment, not from examples of them", () => {
    expect(["/a/.env", ".env.local", "C:\\x\\.env.production.local"].filter(isEnvFile)).toHaveLength(3)
    expect([".env.example", ".envrc", "src/env.ts", ".env.d/x"].filter(isEnvFile)).toEqual([])
  })
})

describe("an address or key that lets in whoever has it", () => {
  const made = "x1Y2z3A4b5C6d7E8f9G0h1I2j3K4l5M6"
  it.each([
    [`post to https://discord.com/api/webhooks/112233445566778899/${made}?wait=true now`, "Discord webhook"],
    [`post to https://canary.discord.com/api/v10/webhooks/112233445566778899/${made}?wait=true now`, "Discord webhook"],
    [`post to https://DISCORD.com/api/webhooks/112233445566778899/${made}?wait=true now`, "Discord webhook"],
    [`post to https://Hooks.Slack.com/services/T0000AAAA/B0000BBBB/${made}?wait=true now`, "slack secret"],
    [`post to HOOKS.SLACK.COM/services/T0000AAAA/B0000BBBB/${made}?wait=true now`, "Slack webhook"],
    [
      `post to https://Acme.Webhook.Office.COM/webhookb2/11111111-2222-3333-4444-555555555555@66666666-7777-8888-9999-000000000000/IncomingWebhook/${made}/x?wait=true now`,
      "Teams webhook",
    ],
    [`post to https://hooks.slack.com/services/T0000AAAA/B0000BBBB/${made}?wait=true now`, "slack secret"],
    [`post to https://hooks.slack.com/workflows/T0000AAAA/A0000BBBB/${made}?wait=true now`, "Slack webhook"],
    [
      `post to https://acme.webhook.office.com/webhookb2/11111111-2222-3333-4444-555555555555@66666666-7777-8888-9999-000000000000/IncomingWebhook/${made}/x?wait=true now`,
      "Teams webhook",
    ],
  ])("is hidden, but its query and the following text stay: %s", (text, label) => {
    const shown = redacted(text)
    expect(shown).not.toContain(made.slice(0, 6))
    expect(shown).toContain(`[redacted: ${label}]?wait=true now`)
  })

  it("is kept except for its signature when it is signed", () => {
    const url = (sig: string) => `https://prod.logic.azure.com/workflows/1/invoke?api-version=1&sig=${sig}&x=1 and more`
    expect(redacted(url(made))).toBe(url("[redacted: signature of a URL]"))
  })

  it("is hidden without the full stop that ends its sentence", () => {
    const key = `ghp_${made}abcd`
    expect(redacted(`It is ${key}. Then more.`)).toBe("It is [redacted: GitHub token]. Then more.")
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

  it("has the same digest everywhere, but another under another key", () => {
    const digests = (text: string, key = "k") =>
      createScanner({ ...plain, key })
        .find(text)
        .map(({ digest }) => digest)
    const [first, second] = digests(`${secret} and\n+${secret.slice(0, 9)}\n+${secret.slice(9)} end`)
    expect(first).toMatch(/^[0-9a-f]{32}$/)
    expect(second).toBe(first)
    expect(digests(secret, "other")).not.toEqual([first])
  })

  it("gives its position in the raw text, escapes included", () => {
    const text = `x \\u0041${secret.slice(1)} y`
    const [finding] = createScanner(plain).find(text)
    expect(text.slice(finding?.start, finding?.end)).toBe(`\\u0041${secret.slice(1)}`)
    expect(finding).toMatchObject({ rule: "aws-access-key", label: "AWS access key", severity: "secret" })
  })
})
