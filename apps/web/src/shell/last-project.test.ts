import type { Project } from "@docket/core/schema"
import { expect, test } from "vitest"
import { lastProject, projectIn } from "./last-project.ts"

// Only the fields that the code reads.
const projects = [{ id: "prj_a" }, { id: "prj_b" }] as Project[]

test("without cookies, the server takes the project opened last", () => {
  expect(lastProject(projects)?.id).toBe("prj_a")
  expect(lastProject([])).toBeUndefined()
})

test("a page takes the project in the cookies, if it exists", () => {
  expect(projectIn("theme=dark; docket-project=prj_b", projects)?.id).toBe("prj_b")
  for (const cookies of ["docket-project=prj_c", "other-docket-project=prj_b", ""])
    expect(projectIn(cookies, projects)?.id).toBe("prj_a")
})
