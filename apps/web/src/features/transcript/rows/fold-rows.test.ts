import type { ToolPart, ToolState } from "@docket/core/schema"
import fc from "fast-check"
import { expect, test } from "vitest"
import { foldLabels } from "./fold-labels.ts"
import { foldRows } from "./fold-rows.ts"
import { type Row, showsPart, stepPart } from "./row.ts"

const metadata = {
  read: { kind: "file", startLine: 1, endLine: 2, totalLines: 2, truncated: false },
  glob: {},
  grep: {},
  list: {},
}

function call(id: string, tool: string, input: Record<string, unknown> = {}, status = "completed"): ToolPart {
  const kept = tool === "read" ? { ...metadata.read, file: input.filePath } : {}
  // All states below have these fields; the fold reads nothing else.
  const state = {
    status,
    input,
    output: "",
    title: "",
    metadata: kept,
    error: "",
    time: { start: 1, end: 2 },
  } as ToolState
  return { id, sessionID: "ses_1", messageID: "msg_1", type: "tool", callID: `call_${id}`, tool, state }
}

const row = (part: ToolPart): Extract<Row, { kind: "part" }> => ({
  kind: "part",
  key: part.id,
  part,
  agent: "build",
  streaming: false,
  step: null,
  beginsStep: false,
})
const closed: Parameters<typeof foldRows>[1] = { open: new Map<string, boolean>(), part: null, waits: () => false }
const read = (id: string) => row(call(id, "read", { filePath: `${id}.ts` }))

test("two or more lookups fold into one line, one does not", () => {
  const rows = [read("a"), row(call("b", "grep", { pattern: "x" })), row(call("c", "bash")), read("d")]
  expect(foldRows(rows, closed).map(({ kind, key }) => [kind, key])).toEqual([
    ["fold", "a:fold"],
    ["part", "c"],
    ["part", "d"],
  ])
})

test("a fold opens by hand or for a link into it", () => {
  const rows = [read("a"), read("b")]
  const open = (context: Partial<typeof closed>) => foldRows(rows, { ...closed, ...context }).map(({ key }) => key)
  expect(open({ open: new Map([["a:fold", true]]) })).toEqual(["a:fold", "a", "b"])
  const linked = foldRows(rows, { ...closed, part: "b" })
  expect(linked.map(({ key }) => key)).toEqual(["a:fold", "a", "b"])
  expect(linked.filter((it) => showsPart(it, "b")).map(({ key }) => key)).toEqual(["b"])
})

test("a step that begins in a closed fold is undone there", () => {
  const rows = [{ ...read("a"), beginsStep: true }, read("b")]
  const stepsIn = (open: boolean) =>
    foldRows(rows, { ...closed, open: new Map([["a:fold", open]]) }).map((it) => stepPart(it)?.id)
  expect(stepsIn(false)).toEqual(["a"])
  expect(stepsIn(true)).toEqual([undefined, "a", undefined])
})

test("failed and waiting rows stay visible", () => {
  const failed = row(call("b", "read", {}, "error"))
  expect(foldRows([read("a"), failed, read("c")], closed).map(({ key }) => key)).toEqual(["a", "b", "c"])
  const rows = [read("a"), read("b"), read("c")]
  const folded = foldRows(rows, { ...closed, waits: ({ key }) => key === "c" })
  expect(folded.map(({ key }) => key)).toEqual(["a:fold", "c"])
})

test("a fold's label counts each file once", () => {
  const parts = [
    call("1", "read", { filePath: "a.ts" }),
    call("2", "read", { filePath: "b.ts" }),
    call("3", "read", { filePath: "a.ts" }),
    call("4", "grep", { pattern: "greet" }),
    call("5", "glob", { pattern: "*.md" }),
    call("6", "list", { path: "src" }, "running"),
  ]
  expect(foldLabels(parts)).toEqual({
    what: "Read 2 files, searched 2 times, listed 1 directory",
    names: ["a.ts", "b.ts", "greet", "*.md", "src"],
    running: true,
  })
  expect(foldLabels(parts.slice(3, 4)).what).toBe("Searched once")
  expect(foldLabels([parts[0], parts[2]].filter((it) => it !== undefined)).what).toBe("Read a file 2 times")
})

test("a fold's label counts files without a name yet as different", () => {
  const parts = [call("1", "read", {}, "pending"), call("2", "read", {}, "pending")]
  expect(foldLabels(parts)).toEqual({ what: "Read 2 files", names: [], running: true })
})

const tools = fc.constantFrom("read", "grep", "bash", "edit")

test("folds lose no row and keep their order, whatever is open", () => {
  fc.assert(
    fc.property(fc.array(tools), fc.boolean(), (names, isOpen) => {
      const rows = names.map((tool, index) => row(call(`p${index}`, tool, { filePath: `${index}` })))
      const open = new Map(rows.map(({ key }) => [`${key}:fold`, isOpen]))
      const shown = foldRows(rows, { ...closed, open }).flatMap((it) => {
        if (it.kind !== "fold") return [it.key]
        return it.open ? [] : it.parts.map(({ id }) => id)
      })
      expect(shown).toEqual(rows.map(({ key }) => key))
    }),
  )
})
