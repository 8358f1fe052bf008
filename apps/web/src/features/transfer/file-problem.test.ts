import { expect, test } from "vitest"
import { fileProblem } from "./file-problem.ts"

test("a file that is empty or too large is not sent", () => {
  expect(fileProblem({ size: 0 })).toMatch("empty")
  expect(fileProblem({ size: 64 * 1024 * 1024 })).toBeNull()
  expect(fileProblem({ size: 64 * 1024 * 1024 + 1 })).toMatch("larger than 64 MiB")
})
