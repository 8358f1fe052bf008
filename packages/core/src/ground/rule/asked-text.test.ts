import { expect, test } from "vitest"
import type { PermissionMetadata } from "../schema/index.ts"
import { askedText } from "./asked-text.ts"

const asked = (permission: string, patterns: string[], metadata: PermissionMetadata) =>
  askedText({ permission, patterns, metadata })
const command = (text: string): PermissionMetadata => ({
  kind: "command",
  command: text,
  description: "Run it",
  workdir: "/p",
})

test("a question is one line with the command or the file names", () => {
  expect(asked("bash", ["npm test"], command("npm test\n  --watch"))).toBe("npm test --watch")
  expect(asked("read", ["a", "b", "c"], { kind: "files", files: ["a", "b", "c"] })).toBe("read a, b and 1 more")
  expect(asked("bash", ["x"], command("echo ".repeat(100)))).toHaveLength(160)
})

test("characters that hide or reorder what was asked are shown", () => {
  expect(asked("bash", ["x"], command("echo \u202egnp.txt"))).not.toContain("\u202e")
})
