import { expect, test } from "vitest"
import { grantAct, reachOf } from "./grant-labels.ts"

test("a grant shows its scope", () => {
  const project = { id: "prj", name: "demo" }
  expect(reachOf({ scope: "everywhere", project: null })).toBe("In every project")
  expect(reachOf({ scope: "project", project })).toBe("In demo")
  expect(reachOf({ scope: "tree", project })).toBe("In one session of demo")
  expect(reachOf({ scope: "task", project })).toBe("In one task of demo")
})

test("a grant shows what it allows, in words for everything", () => {
  const act = (permission: string, ...patterns: string[]) => grantAct({ permission, patterns })
  expect(act("bash", "git tag *", "ls")).toEqual({ words: "run", patterns: ["git tag *", "ls"] })
  expect(act("edit", "*", "a.md")).toEqual({ words: "change any file", patterns: [] })
  expect(act("left_behind", `.vscode ${"0".repeat(32)}`)).toEqual({
    words: "leave, as a command left it:",
    patterns: [".vscode"],
  })
  expect(act("webfetch", "*")).toEqual({ words: "webfetch: anything", patterns: [] })
})
