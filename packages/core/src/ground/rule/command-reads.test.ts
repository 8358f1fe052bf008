import { describe, expect, it } from "vitest"
import { readingCommand, readsOfCommand, restrictedPatterns } from "./command-reads.ts"
import { evaluateRequest, type Grant } from "./evaluate.ts"
import { grantReach } from "./grant-reach.ts"
import { defaultRules, rulesFromConfig } from "./rules.ts"

/** The answer to a command that reads a file, where these patterns were allowed for good. */
function mayRead(file: string, command: string | undefined, ...patterns: string[]) {
  const grants = patterns.map((pattern): Grant => ({ permission: "read", pattern, from: "project" }))
  return evaluateRequest({ permission: "read", patterns: [file], command, rules: defaultRules(), grants }).action
}

describe("a permanent grant to read", () => {
  it("for a command covers only this command and this file", () => {
    const [pattern = ""] = readsOfCommand("npm test", ["a/.env"])
    expect(pattern).toBe("npm test < a/.env")
    expect(mayRead("a/.env", "npm test", pattern)).toBe("allow")
    expect(mayRead("a/.env", "npm test -- --all", pattern)).toBe("ask")
    expect(mayRead("b/.env", "npm test", pattern)).toBe("ask")
    expect(mayRead("a/.env", undefined, pattern)).toBe("ask")
    expect(mayRead("a/.env", "npm run x", "npm * < *.env")).toBe("allow")
  })

  it("for files is matched with the file, never with the command", () => {
    expect(mayRead(".env", "cat .env docs/a.md", "*.md", "docs/*")).toBe("ask")
    expect(mayRead(".env", "cat .env", ".env")).toBe("allow")
  })

  it("answers nothing that is denied, or asked because configuration cannot be read", () => {
    const grants: Grant[] = [{ permission: "read", pattern: "make < .env", from: "project" }]
    const asked = { permission: "read", patterns: [".env"], command: "make", grants }
    expect(evaluateRequest({ ...asked, rules: rulesFromConfig({ read: "deny" }) }).action).toBe("deny")
    const rules = [{ permission: "read", pattern: "*", action: "ask", heldBack: true } as const]
    expect(evaluateRequest({ ...asked, rules }).action).toBe("ask")
  })

  it("for a command is not offered where its words match others, too", () => {
    expect(readsOfCommand("cat *", [".env"])).toEqual([])
    expect(readsOfCommand("make", [".env", "a?.env"])).toEqual([])
    expect(readsOfCommand("make", ["make < .env"])).toEqual([])
  })

  it("for a command reaches no further than the project", () => {
    expect(grantReach("read", [".env", "make < .env"]).furthest).toBe("project")
    expect(grantReach("read", [".env"]).furthest).toBe("everywhere")
  })

  it("is for a command only when a command asks to read", () => {
    const metadata = { kind: "command", command: " make ", description: "", workdir: "/" } as const
    expect(readingCommand({ permission: "read", metadata })).toBe("make")
    expect(readingCommand({ permission: "bash", metadata })).toBeUndefined()
    expect(readingCommand({ permission: "read", metadata: { kind: "files", files: [] } })).toBeUndefined()
  })
})

it("restricted patterns are those that rules deny or ask, without `*`", () => {
  const rules = rulesFromConfig({
    "*": "ask",
    read: { "*": "ask", "*.env": "deny", "*.md": "allow" },
    "re*": { a: "ask" },
  })
  expect(restrictedPatterns("read", [rules, defaultRules()])).toEqual(["*.env", "a", "*.env.*"])
})
