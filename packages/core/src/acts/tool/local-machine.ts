import type { BigIntStats } from "node:fs"
import { readdir, stat } from "node:fs/promises"
import { errorCode } from "../../ground/error/error-code.ts"
import { hasStamp, stampOf } from "../../ground/file/file-stamp.ts"
import { openChecked, removeChecked, stageFile, writeAtomic } from "./checked-file.ts"
import type { Files, Machine, WrittenFile } from "./machine.ts"
import { runRipgrep } from "./ripgrep.ts"
import { runCommand } from "./run-command.ts"
import { permissionsOf, versionOf } from "./text-file.ts"

const localFiles: Files = {
  async look(real) {
    try {
      const facts = await stat(real)
      const kind = facts.isDirectory() ? "directory" : facts.isFile() ? "file" : "other"
      return { kind, changed: facts.mtimeMs }
    } catch (error) {
      if (errorCode(error) === "ENOENT" || errorCode(error) === "ENOTDIR") return null
      throw error
    }
  },
  open: openChecked,
  async entries(directory) {
    const found = await readdir(directory, { withFileTypes: true })
    return found.map((entry) => ({ name: entry.name, isDirectory: entry.isDirectory() }))
  },
  hasStamp,
  async write(real, content, options) {
    const facts = await writeAtomic(real, content, options)
    return writtenFile(facts)
  },
  async stage(real, content, options) {
    const staged = await stageFile(real, content, options)
    return { ...staged, commit: async () => writtenFile(await staged.commit()) }
  },
  remove: removeChecked,
}

function writtenFile(facts: BigIntStats): WrittenFile {
  return { version: versionOf(facts), mode: permissionsOf(facts), stamp: stampOf(facts) }
}

/** The machine that this process runs on. */
export const localMachine: Machine = { files: localFiles, commands: { run: runCommand, search: runRipgrep } }
