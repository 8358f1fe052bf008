import type { Project } from "@docket/core/schema"
import { expect, test } from "vitest"
import { lastProject } from "./last-project.ts"

// Only what is read.
const projects = [{ id: "prj_a" }, { id: "prj_b" }] as Project[]

test("a page that is rendered on the server, without a browser's cookies, takes the project that was opened last", () => {
  expect(lastProject(projects)?.id).toBe("prj_a")
  expect(lastProject([])).toBeUndefined()
})
