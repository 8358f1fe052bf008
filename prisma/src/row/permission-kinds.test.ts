import { records } from "@docket/core/store"
import { expect, it } from "vitest"
import { decode, encode } from "./row-data.ts"

const change = { file: "a.ts", diff: "+b", additions: 1, deletions: 0, created: true, diffOmitted: false }
const bash = { command: "cat a", description: "Look", workdir: "/work" }
/** Fields of every older request. Known kinds drop them. */
const asker = { agent: "build", sessionTitle: "Fix it" }

const cases: [permission: string, older: object, now: object][] = [
  ["bash", bash, { kind: "command", ...bash }],
  ["edit", { ...change, truncated: false }, { kind: "change", ...change, truncated: false }],
  ["edit", bash, { kind: "command", ...bash }],
  ["read", { file: "a.ts" }, { kind: "files", files: ["a.ts"] }],
  ["read", { files: ["a.ts", "b.ts"] }, { kind: "files", files: ["a.ts", "b.ts"] }],
  ["read", bash, { kind: "command", ...bash }],
  ["external_directory", { path: "/tmp/a" }, { kind: "path", path: "/tmp/a" }],
  ["external_directory", bash, { kind: "command", ...bash }],
  ["grep", { pattern: "x", include: "*.ts" }, { kind: "search", pattern: "x", include: "*.ts" }],
  [
    "task",
    { tool: "task", title: "Look", description: "Look" },
    { kind: "task", tool: "task", agent: "first", description: "Look" },
  ],
  [
    "doom_loop",
    { tool: "bash", input: { command: "ls" }, title: "…" },
    { kind: "repeat", tool: "bash", input: { command: "ls" }, times: 3 },
  ],
  ["schedule", { command: "list" }, { kind: "schedule", command: "list" }],
  ["memory", {}, { kind: "other", ...asker }],
  ["bash", { title: "Words", extra: 1 }, { kind: "other", title: "Words", extra: 1, ...asker }],
]

it.each(cases)("a request for %s stored by 0.1.0 gets its kind: %j", (permission, older, now) => {
  const row = {
    id: "per_01a202761aca0000ie9rSLieeI",
    rootID: "ses_fe5dfd89edf4zzzzshzmwhDqs4",
    sessionID: "ses_fe5dfd89edf4zzzzshzmwhDqs4",
    messageID: null,
    callID: null,
    permission,
    patterns: ["first", "second"],
    always: [],
    metadata: { ...older, ...asker },
    status: "pending",
    message: null,
    time: { created: 1, replied: null },
  }
  const value = decode(records.PermissionRequest, JSON.stringify(row))
  expect(value).toEqual({ ...row, metadata: now })
  expect(decode(records.PermissionRequest, encode(records.PermissionRequest, value))).toEqual(value)
})
