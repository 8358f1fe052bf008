import { expect, test } from "vitest"
import { reachOf } from "./grant-words.ts"

test("a grant says where it counts", () => {
  const project = { id: "prj", name: "demo" }
  expect(reachOf({ scope: "everywhere", project: null })).toBe("In every project")
  expect(reachOf({ scope: "project", project })).toBe("In demo")
  expect(reachOf({ scope: "tree", project })).toBe("In one session of demo")
  expect(reachOf({ scope: "task", project })).toBe("In one task of demo")
})
