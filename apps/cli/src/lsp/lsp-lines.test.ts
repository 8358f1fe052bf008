import type { LanguageServerState } from "@docket/core/schema"
import { expect, test } from "vitest"
import { lspLines } from "./lsp-lines.ts"

const server: LanguageServerState = {
  id: "typescript",
  extensions: [".ts", ".js"],
  state: "running",
  reason: null,
  program: "/usr/bin/tsc",
  from: "path",
  running: [{ root: "/p", pid: 7, since: 0, files: 1 }],
}

test("language servers that run are listed first, others with why not", () => {
  const absent = {
    ...server,
    id: "ruff",
    state: "absent" as const,
    program: null,
    running: [],
    reason: "Install ruff to use it.",
  }
  expect(lspLines([absent, server])).toEqual([
    expect.stringMatching(/^server +state +files +about$/),
    expect.stringMatching(/^typescript +running +\.ts \.js +pid 7; \/usr\/bin\/tsc$/),
    expect.stringMatching(/^ruff +absent .*Install ruff to use it\.$/),
  ])
  expect(lspLines([])).toEqual(["this service has no language servers"])
})
