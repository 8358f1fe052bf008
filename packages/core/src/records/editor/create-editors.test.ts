import { expect, test } from "vitest"
import { createBus } from "../../ground/event/bus.ts"
import { createIdSource } from "../../ground/id/create-id.ts"
import type { EditorAsk } from "../../ground/schema/index.ts"
import { newSession } from "../../test/entities.ts"
import { createManualTime } from "../../test/manual-time.ts"
import { createEditors } from "./create-editors.ts"

const ann = { person: "ann", workspace: "local" }
const bo = { person: "bo", workspace: "local" }

/** A tree of ann's; `asked` and `withdrawn` collect what its editors are told. */
function setUp() {
  const root = { ...newSession(createIdSource()), by: ann }
  const time = createManualTime()
  const bus = createBus((error) => {
    throw error
  })
  const asked: { editorID: string; askID: string; ask: EditorAsk }[] = []
  const withdrawn: string[] = []
  bus.subscribe((event) => {
    if (event.type === "editor.asked") asked.push(event.properties)
    if (event.type === "editor.withdrawn") withdrawn.push(event.properties.askID)
  })
  const editors = createEditors({ bus, timers: time.timers, sessionByID: async () => root })
  const enter = (id: string, { hasTerminal = false, caller = ann } = {}) =>
    editors.enter(root.id, { id, hasTerminal }, caller)
  const tell = (at: number, text: string | null, caller = ann) =>
    editors.as(caller).answer(root.id, asked[at]?.askID ?? "", { kind: "text", text })
  const ended = (at: number) =>
    editors.as(ann).answer(root.id, asked[at]?.askID ?? "", {
      ...{ kind: "ended", output: "out", isCut: false, exit: 0, signal: null },
    })
  const run = (signal = new AbortController().signal) =>
    editors.run(root.id, { sessionID: root.id, partID: "prt_1", command: "echo", cwd: "/p" }, signal)
  return {
    ...time,
    root,
    editors,
    asked,
    withdrawn,
    enter,
    tell,
    ended,
    run,
    read: () => editors.unsavedText(root.id, "/p/a"),
  }
}

test("each editor of a tree is asked; changes count", async () => {
  const { read, asked, enter, tell } = setUp()
  await enter("first")
  await enter("second")
  const text = read()
  expect(asked.map(({ editorID, ask }) => [editorID, ask])).toEqual([
    ["first", { kind: "read", path: "/p/a" }],
    ["second", { kind: "read", path: "/p/a" }],
  ])
  expect(await tell(0, null)).toBe(true)
  expect(await tell(1, "changed")).toBe(true)
  expect(await text).toBe("changed")
  expect(await tell(1, "late")).toBe(false)
})

test("nobody but whoever began the tree is asked, or may answer", async () => {
  const { read, asked, enter, tell } = setUp()
  await enter("guest", { caller: bo, hasTerminal: true })
  expect(await read()).toBeNull()
  expect(asked).toEqual([])
  await enter("first")
  const text = read()
  expect(await tell(0, "forged", bo)).toBe(false)
  await tell(0, "mine")
  expect(await text).toBe("mine")
})

test("an editor that says nothing is waited for once", async () => {
  const { read, asked, enter, tell, ended, run, pass } = setUp()
  await enter("first", { hasTerminal: true })
  const text = read()
  await pass(5_000)
  expect(await text).toBeNull()
  expect(await read()).toBeNull()
  expect(asked).toHaveLength(1)
  const command = run()
  await ended(1)
  expect(await command).toMatchObject({ kind: "ended", output: "out" })
  const again = read()
  await tell(2, "changed")
  expect(await again).toBe("changed")
})

test("an editor that leaves has saved all, and its command is lost", async () => {
  const { read, enter, run, editors, root, waiting } = setUp()
  const leave = await enter("first", { hasTerminal: true })
  expect(editors.hasTerminal(root.id)).toBe(true)
  const [text, command] = [read(), run()]
  leave()
  expect([await text, await command]).toEqual([null, null])
  expect(editors.hasTerminal(root.id)).toBe(false)
  expect(await run()).toBeNull()
  expect(waiting()).toBe(0)
})

test("a command that is stopped is withdrawn, and its end awaited", async () => {
  const { enter, run, asked, withdrawn, ended, waiting, pass } = setUp()
  await enter("first", { hasTerminal: true })
  const stop = new AbortController()
  const command = run(stop.signal)
  stop.abort()
  expect(withdrawn).toEqual([asked[0]?.askID])
  await ended(0)
  expect(await command).toMatchObject({ output: "out" })
  expect(waiting()).toBe(0)
  const silent = run(AbortSignal.abort())
  await pass(5_000)
  expect(await silent).toBeNull()
})
