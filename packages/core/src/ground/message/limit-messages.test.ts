import { expect, test } from "vitest"
import { endedMessage, limitNote, limitRows, openFilesNote, sizeLabel } from "./limit-messages.ts"

test.each([
  [500, "0.5 KiB"],
  [256 * 1024 ** 2, "256 MiB"],
  [11.75 * 1024 ** 3, "11.8 GiB"],
])("sizeLabel shows %s bytes as %s", (bytes, words) => {
  expect(sizeLabel(bytes)).toBe(words)
})

test.each([
  ["processes", "command", 1_024, "more than 1,024 processes and threads at once", "sandbox.limits.command.processes"],
  ["processes", "all", 4_096, "all commands that run now together had more than 4,096", "sandbox.limits.all.processes"],
  ["memory", "command", 2 ** 33, "more than 8 GiB of memory", "sandbox.limits.command.memory"],
  ["memory", "all", 2 ** 33, "this one used the most", "sandbox.limits.all.memory"],
  ["written", "command", 2 ** 30, "wrote more than 1 GiB", "sandbox.limits.command.written"],
  ["free", "command", 2 ** 30, "less than 1 GiB free", "sandbox.limits.free"],
] as const)("a call over its limit (%s, %s: %d) learns limit and setting", (limit, scope, value, said, key) => {
  const note = limitNote({ limit, scope, value })
  expect(note).toContain(said)
  expect(note).toContain(`"${key}" in their own docket.json`)
})

test("only a program with too many open files gets the limit note", () => {
  expect(openFilesNote("Error: EMFILE: too many open files", 65_536)).toContain("at most 65,536 files open")
  expect(openFilesNote("no such file", 65_536)).toBeNull()
})

test("the limits are rows, and a text says which ended a command", () => {
  const command = { processes: 1_024, memory: 2 ** 33, files: 65_536, written: 20 * 2 ** 30 }
  expect(limitRows({ command, all: { processes: 4_096, memory: 12 * 2 ** 30 }, free: null })).toEqual([
    { name: "Processes and threads", value: "1,024 a command, 4,096 together" },
    { name: "Memory", value: "8 GiB a command, 12 GiB together" },
    { name: "Open files", value: "65,536 a process" },
    { name: "Written to disks", value: "20 GiB a command" },
    { name: "Left free on a disk", value: "1 GiB or 3 %, whichever is more" },
  ])
  expect(endedMessage({ limit: "memory", scope: "all", value: 12 * 2 ** 30 })).toBe(
    "more than 12 GiB of memory of all commands together",
  )
})
