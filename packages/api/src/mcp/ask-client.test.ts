import type { PermissionMetadata, PermissionRequest } from "@docket/core/schema"
import { expect, test } from "vitest"
import { questionOf } from "./ask-client.ts"

function request(metadata: PermissionMetadata, permission: string, patterns = ["x"]): PermissionRequest {
  return {
    ...{ id: "per_1", rootID: "ses_1", sessionID: "ses_1", messageID: null, callID: null },
    ...{ permission, patterns, always: patterns, metadata, status: "pending", message: null },
    reasons: [{ why: "unset", patterns: ["x"] }],
    time: { created: 0, replied: null },
  } as PermissionRequest
}

const change = {
  ...{ kind: "change" as const, file: "a.txt", diff: "-old\n+new", additions: 1, deletions: 1 },
  ...{ created: false, diffOmitted: false, truncated: false },
}
const calls = (input: object) => request({ kind: "other", title: "send of crm", input }, "crm_send", ["calls 12ab"])

test("a question shows the title, the arguments and the reasons", () => {
  const message = questionOf(calls({ to: "all\u202e" }))?.message
  for (const part of ["send of crm", '"to": "all', "No rule covers x."]) expect(message).toContain(part)
  expect(message).not.toContain("\u202e")
})

test("a question shows a change as a diff, and a command whole", () => {
  expect(questionOf(request(change, "edit", ["a.txt", "link.txt"]))?.message).toMatch(/link\.txt[\s\S]*-old\n\+new/)
  const command = `${"true; ".repeat(100)}rm b`
  const asked = request({ kind: "command", command, description: "Tidies", workdir: "/" }, "bash")
  expect(questionOf(asked)?.message).toMatch(/Tidies[\s\S]*; rm b/)
})

test("what cannot be shown whole waits on the desk", () => {
  expect(questionOf(calls({ text: "x".repeat(4_000) }))).toBeNull()
  expect(questionOf(request({ ...change, diff: "", diffOmitted: true }, "edit"))).toBeNull()
  expect(questionOf(request({ ...change, diff: "+x\n".repeat(2_000) }, "edit"))).toBeNull()
})
