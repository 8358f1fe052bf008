import { expect, test } from "vitest"
import { createEditTool } from "./edit.ts"
import { createFileLocks } from "./file-locks.ts"
import { localMachine } from "./local-machine.ts"
import { createReadTool } from "./read.ts"
import { runTool } from "./run-tool.ts"
import { createToolFixture, knownIn, type ToolFixture } from "./test/tool-fixture.ts"
import { unsavedFiles } from "./unsaved-files.ts"
import { createWriteTool } from "./write.ts"

const withFileLock = createFileLocks()
const read = createReadTool()
const edit = createEditTool({ withFileLock })
const write = createWriteTool({ withFileLock })

/** A project whose editor has texts that are not saved, by name. */
function createEdited(unsaved: Record<string, string>) {
  const fixture = createToolFixture()
  const asked: string[] = []
  const files = unsavedFiles(localMachine.files, async (real) => {
    const name = real.slice(fixture.project.length + 1)
    asked.push(name)
    return unsaved[name] ?? null
  })
  return { ...fixture, context: { ...fixture.context, files, known: knownIn(fixture.project) }, asked, unsaved }
}

const change = ({ context }: Pick<ToolFixture, "context">) =>
  runTool(edit, { filePath: "a.txt", oldString: "one", newString: "two" }, context)

test("an agent reads what the editor has, with a note", async () => {
  const place = createEdited({ "a.txt": "one\nnew\n" })
  place.write("a.txt", "one\n")
  place.write("b.txt", "saved\n")
  const { output } = await runTool(read, { filePath: "a.txt" }, place.context)
  expect(output).toMatch(/^1: one\n2: new\n.*\n\(The user's editor has changes of this file that are not saved/)
  expect((await runTool(read, { filePath: "a.txt", offset: 2 }, place.context)).output).toContain("2: new\n")
  expect((await runTool(read, { filePath: "b.txt" }, place.context)).output).toBe("1: saved\n(End of file, 1 lines.)")
})

test("a file is not changed while the editor has a newer text", async () => {
  const place = createEdited({ "a.txt": "one\nnew\n" })
  place.write("a.txt", "one\n")
  const refused = "a.txt has changes in the editor that are not saved. Ask the user to save it"
  await expect(change(place)).rejects.toThrow(refused)
  await expect(runTool(write, { filePath: "a.txt", content: "all" }, place.context)).rejects.toThrow(refused)
  expect(place.read("a.txt")).toBe("one\n")
  delete place.unsaved["a.txt"]
  await change(place)
  expect(place.read("a.txt")).toBe("two\n")
})

test("a large file is read as saved, without asking", async () => {
  const place = createEdited({ "a.txt": "short" })
  place.write("a.txt", "line\n".repeat(200_001))
  expect((await runTool(read, { filePath: "a.txt", limit: 1 }, place.context)).output).toContain("1: line\n")
  expect(place.asked).toEqual([])
})

test("what is missing on the disk is missing", async () => {
  const place = createEdited({ "a.txt": "never saved" })
  await expect(runTool(read, { filePath: "a.txt" }, place.context)).rejects.toThrow("a.txt")
  expect(place.asked).toEqual([])
})

test("a stamp counts only while the editor has the saved text", async () => {
  const place = createEdited({})
  const real = place.write("a.txt", "one\n")
  const staged = await localMachine.files.stage(real, Buffer.from("two\n"), { mode: null, temporary: "a.tmp" })
  const { stamp } = await staged.commit()
  expect(await place.context.files.hasStamp(real, stamp)).toBe(true)
  place.unsaved["a.txt"] = "three\n"
  expect(await place.context.files.hasStamp(real, stamp)).toBe(false)
})
