import { describe, expect, it } from "vitest"
import { readingCommand, readsOfCommand, restrictedPatterns } from "./command-reads.ts"
import { evaluateRequest, type Grant } from "./evaluate.ts"
import { grantReach } from "./grant-reach.ts"
import { defaultRules, rulesFromConfig } from "./rules.ts"

/** Whether a command may read a file by what was allowed for good. */
function mayRead(file: string, command: string | undefined, ...patterns: string[]) {
  const grants = patterns.map((pattern): Grant => ({ permission: "read", pattern, from: "project" }))
  return evaluateRequest({ permission: "read", patterns: [file], command, rules: defaultRules(), grants }).action
}

describe("what a command may read for good", () => {
  it("is for that command and that file alone", () => {
    const [pattern = ""] = readsOfCommand("npm test", ["a/.env"])
    expect(pattern).toBe("npm test < a/.env")
    expect(mayRead("a/.env", "npm test", pattern)).toBe("allow")
    expect(mayRead("a/.env", "npm test -- --all", pattern)).toBe("ask")
    expect(mayRead("b/.env", "npm test", pattern)).toBe("ask")
    expect(mayRead("a/.env", undefined, pattern)).toBe("ask")
    expect(mayRead("a/.env", "npm run x", "npm * < *.env")).toBe("allow")
  })

  it("is not what was allowed of files, however the command ends", () => {
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

  it("is not offered where the words could match other commands or files", () => {
    expect(readsOfCommand("cat *", [".env"])).toEqual([])
    expect(readsOfCommand("make", [".env", "a?.env"])).toEqual([])
    expect(readsOfCommand("make", ["make < .env"])).toEqual([])
  })

  it("reaches no further than the project", () => {
    expect(grantReach("read", [".env", "make < .env"]).furthest).toBe("project")
    expect(grantReach("read", [".env"]).furthest).toBe("everywhere")
  })

  it("is asked for by a command only", () => {
    const metadata = { kind: "command", command: " make ", description: "", workdir: "/" } as const
    expect(readingCommand({ permission: "read", metadata })).toBe("make")
    expect(readingCommand({ permission: "bash", metadata })).toBeUndefined()
    expect(readingCommand({ permission: "read", metadata: { kind: "files", files: [] } })).toBeUndefined()
  })
})

it("closes what rules name, and not all files at once", () => {
  const rules = rulesFromConfig({
    "*": "ask",
    read: { "*": "ask", "*.env": "deny", "*.md": "allow" },
    "re*": { a: "ask" },
  })
  expect(restrictedPatterns("read", [rules, defaultRules()])).toEqual(["*.env", "a", "*.env.*"])
})
