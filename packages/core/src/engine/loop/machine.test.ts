import { readFileSync, realpathSync, writeFileSync } from "node:fs"
import path from "node:path"
import { expect, test } from "vitest"
import { createLocalExecutor } from "../../acts/tool/executor.ts"
import { localMachine } from "../../acts/tool/local-machine.ts"
import type { Machine, OpenFile } from "../../acts/tool/machine.ts"
import { answer, scriptedRuntime, toolResults } from "../../test/scripted-runtime.ts"

/** The open file with another text. */
function openText(file: OpenFile, text: Buffer): OpenFile {
  let next = 0
  return {
    stat: (options) => file.stat(options),
    readFile: async () => text,
    async read(into, offset, length, position) {
      const bytesRead = text.copy(into, offset, position ?? next, (position ?? next) + length)
      if (position === null) next += bytesRead
      return { bytesRead }
    },
    [Symbol.asyncDispose]: () => file[Symbol.asyncDispose](),
  }
}

/** An editor: unsaved texts replace files on disk, and commands run in its own terminal. */
function editor(unsaved: Map<string, Buffer>) {
  const terminal: string[] = []
  const written: string[] = []
  const machine: Machine = {
    files: {
      ...localMachine.files,
      async open(real) {
        const handle = await localMachine.files.open(real)
        const text = unsaved.get(path.basename(real))
        return text === undefined ? handle : openText(handle, text)
      },
      async write(real, content, options) {
        written.push(path.basename(real))
        unsaved.delete(path.basename(real))
        return localMachine.files.write(real, content, options)
      },
    },
    commands: {
      ...localMachine.commands,
      run(request, now) {
        terminal.push(request.command)
        return localMachine.commands.run(request, now)
      },
    },
  }
  return { machine, terminal, written }
}

test("tools use the session's machine", async () => {
  const { machine, terminal, written } = editor(new Map([["a.txt", Buffer.from("not saved\n")]]))
  const calls = [
    { tool: "read", input: { filePath: "a.txt" } },
    { tool: "edit", input: { filePath: "a.txt", oldString: "not saved", newString: "saved by the edit" } },
    { tool: "bash", input: { command: "cat a.txt" } },
  ]
  const results: string[] = []
  await using host = await scriptedRuntime(
    (options) => {
      const told = toolResults(options)
      results.splice(0, results.length, ...told)
      const next = calls[told.length]
      return next === undefined ? answer("Done.") : answer("", next)
    },
    {
      config: { permission: "allow" },
      env: { PATH: process.env.PATH ?? "" },
      executors: [{ ...createLocalExecutor(null), open: () => ({ id: "editor", ...machine, close: async () => {} }) }],
    },
  )
  const file = path.join(realpathSync(host.directory), "a.txt")
  writeFileSync(file, "on disk\n")
  await host.prompt("Change it")
  expect(results[0]).toContain("1: not saved")
  expect(results[2]).toContain("saved by the edit")
  expect(readFileSync(file, "utf8")).toBe("saved by the edit\n")
  expect({ terminal, written }).toEqual({ terminal: ["cat a.txt"], written: ["a.txt"] })
})
