import type { PermissionRequest } from "@docket/core/schema"
import { expect, test } from "vitest"
import { boundMessage, wideScopes } from "./always-scopes.ts"

const asked = (permission: string, pattern: string) =>
  ({ permission, patterns: [pattern], always: [pattern] }) as unknown as PermissionRequest

test("a request offers the scopes its permission allows, and explains the limit", () => {
  expect(wideScopes(asked("bash", "git push"))).toEqual(["tree", "project", "everywhere"])
  expect(boundMessage(asked("bash", "git push"))).toBeNull()
  expect(wideScopes(asked("sandbox", "make"))).toEqual(["tree", "project"])
  expect(boundMessage(asked("sandbox", "make"))).toContain("all your rights")
  expect(wideScopes(asked("read", "npm test < .env"))).toEqual(["tree", "project"])
  expect(wideScopes(asked("edit", ".docket/agents/a.md"))).toEqual(["tree"])
  expect(boundMessage(asked("edit", ".docket/agents/a.md"))).toContain("configuration")
})
