import { expect, it } from "vitest"
import { isSwitchedOff } from "./switched-off.ts"

const edits = (id: string) => ({ id, permission: "edit" })
const plain = (id: string) => ({ id, permission: id })

it.each([
  [plain("bash"), {}, false],
  [plain("bash"), { bash: false }, true],
  [plain("bash"), { read: false }, false],
  [plain("todowrite"), { "todo*": false }, true],
  [plain("read"), { "*": false, read: true }, false],
  [plain("read"), { read: true, "*": false }, false],
  [plain("greet_loud"), { "greet*": false, "greet_l*": true }, false],
  [edits("apply_patch"), { edit: false }, true],
  [edits("apply_patch"), { edit: false, apply_patch: true }, false],
  [edits("edit"), { write: false }, false],
  [edits("write"), { write: false }, true],
])("the tool %o is switched off by %o: %s", (tool, switches, off) => {
  expect(isSwitchedOff(tool, switches)).toBe(off)
})
