import type { ProjectTrust } from "@docket/core"
import { expect, test } from "vitest"
import { problemsBesidesTrust, waitingMessage } from "./waiting-entries.ts"

const entry = (line: number, kind: ProjectTrust["entries"][number]["kind"]) => {
  return {
    file: "/p/docket.json",
    line,
    column: 3,
    path: ["a"],
    value: "1",
    rest: null,
    kind,
    note: null,
    known: false,
    counts: kind === "permission-restricts",
  }
}
const entries = [
  entry(1, "permission-allows"),
  entry(2, "permission-allows"),
  entry(3, "model"),
  entry(4, "permission-restricts"),
]
const trust = (state: ProjectTrust["state"]): ProjectTrust => ({ state, directory: "/p", hash: "h", entries })
const problem = (line: number, message: string) => ({ file: "/p/docket.json", line, column: 3, message })
const left = [1, 2, 3].map((line) => ({ ...problem(line, '"a" is left out'), waits: true as const }))
const typo = problem(9, "unknown key")

test("entries that wait for trust are reported once per kind", () => {
  expect(waitingMessage(trust("untrusted"))).toBe("2 permissions, 1 model")
  expect(problemsBesidesTrust({ problems: [...left, typo] })).toEqual([typo])
})

test("a trusted project's problems are all shown", () => {
  expect(waitingMessage(trust("trusted"))).toBe("")
  expect(problemsBesidesTrust({ problems: [typo] })).toEqual([typo])
})
