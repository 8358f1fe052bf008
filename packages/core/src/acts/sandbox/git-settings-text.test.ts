import { expect, test } from "vitest"
import { isHarmlessSetting } from "./git-settings-text.ts"

test.each([
  ["extensions.partialclone", "origin"],
  ["remote.origin.promisor", "true"],
  ["remote.origin.partialclonefilter", "blob:none"],
  ["fetch.bundleuri", "https://example.org/x"],
  ["format.signaturefile", "/etc/passwd"],
  ["format.outputdirectory", "/home"],
  ["format.pretty", "%G?"],
  ["log.showsignature", "true"],
  ["commit.gpgsign", null],
  ["tag.gpgsign", "true"],
  ["core.fsmonitor", "evil"],
])("%s = %s may start a program or lead elsewhere", (key, value) => {
  expect(isHarmlessSetting({ key, value })).toBe(false)
})

test.each([
  ["commit.gpgsign", "false"],
  ["user.name", "A"],
  ["fetch.prune", "true"],
  ["log.date", "iso"],
  ["format.notes", "true"],
  ["remote.origin.fetch", "+refs/heads/*:refs/remotes/origin/*"],
])("%s = %s is harmless", (key, value) => {
  expect(isHarmlessSetting({ key, value })).toBe(true)
})
