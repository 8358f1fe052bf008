import type { PermissionRequest } from "@docket/core/schema"
import { expect, it } from "vitest"
import { describe } from "./ask-permission.ts"

it("asks for the whole command, also when it would wipe its own line on a terminal", () => {
  // Only what is shown.
  const request = {
    permission: "bash",
    patterns: ["*"],
    metadata: { kind: "command", command: "rm -r src\u001b[2K\rls", description: "Look", workdir: "/work" },
  } as unknown as PermissionRequest
  expect(describe(request)).toBe("The agent wants to run a command: rm -r src\\u{1b}[2K\\u{d}ls")
})
