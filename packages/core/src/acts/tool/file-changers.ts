import { baseName, type ChangeReader, type CommandChanges } from "./command-changes.ts"
import type { CommandOptions } from "./command-options.ts"
import { isRemote, sendingCommands, sentTo } from "./sending-commands.ts"
import type { ShellWord } from "./shell-command.ts"

const writesAll: ChangeReader = { read: ({ operands }) => ({ writes: operands }) }
const removesAll: ChangeReader = { read: ({ operands }) => ({ removes: operands }) }

/** Sources and where they go: the last operand, or the directory of `-t`. */
function fromTo(options: CommandOptions): { sources: ShellWord[]; target: ShellWord[] } {
  const directory = options.of("t", "target-directory")
  if (directory.length > 0) return { sources: options.operands, target: directory }
  return { sources: options.operands.slice(0, -1), target: options.operands.slice(-1) }
}

const copies = { values: "tSmgo", longValues: ["target-directory", "suffix", "mode", "group", "owner"] }

/** The files of `sed` behind its script. */
function sedFiles(options: CommandOptions): ShellWord[] {
  return options.has("e", "expression", "f", "file") ? options.operands : options.operands.slice(1)
}

function sedScripts(options: CommandOptions): ShellWord[] {
  const given = options.of("e", "expression")
  return given.length > 0 ? given : options.operands.slice(0, 1)
}

/** Substitutions, deletions and lines to print: the commands of `sed` that write to a file or run a program are none. */
const plainSed = /^(?:[\d,$]*(?:[dpq]|s([/|#,@])(?:(?!\1|[;\n]).)*\1(?:(?!\1|[;\n]).)*\1[gIip\d]*)(?:;\s*|$))+$/

function packed(options: CommandOptions): CommandChanges {
  return {
    removes: options.has("k", "keep", "c", "stdout") ? [] : options.operands,
    notes: ["packs or unpacks beside the files"],
  }
}

function tar(options: CommandOptions): CommandChanges {
  // The first operand may hold the letters, without a dash.
  const [first, ...rest] = options.operands
  const letters = first && /^[a-zA-Z]+$/.test(first.value) && !options.has(..."cxtru") ? first.value : ""
  const does = (...names: string[]) => options.has(...names) || names.some((name) => letters.includes(name))
  const archive = letters.includes("f") ? rest.slice(0, 1) : options.of("f", "file")
  if (does("c", "create", "r", "u", "append", "update")) return { writes: archive }
  if (does("t", "list")) return {}
  if (!does("x", "extract", "get")) return { unknown: true }
  const [into] = options.of("C", "directory")
  return {
    writes: into ? [into] : [],
    notes: [into ? `unpacks an archive into ${into.value}` : "unpacks an archive here"],
  }
}

/** Programs whose words say which files they write and remove. Source: their manuals (coreutils, sed, tar, rsync). */
export const fileChangers: Readonly<Record<string, ChangeReader>> = {
  ...sendingCommands,
  chgrp: { read: ({ operands }) => ({ writes: operands.slice(1) }) },
  chmod: {
    // A mode like `-w` looks like an option.
    read: ({ operands, has }) => ({ writes: has("reference", ..."rwxXstugo") ? operands : operands.slice(1) }),
  },
  chown: { read: ({ operands }) => ({ writes: operands.slice(1) }) },
  cp: { ...copies, read: (options) => ({ writes: fromTo(options).target }) },
  dd: {
    read: ({ operands }) => ({
      writes: operands.flatMap((word) =>
        word.value.startsWith("of=") ? [{ ...word, value: word.value.slice(3) }] : [],
      ),
    }),
  },
  gunzip: { read: packed },
  gzip: { read: packed },
  install: {
    ...copies,
    read: (options) => ({ writes: options.has("d", "directory") ? options.operands : fromTo(options).target }),
  },
  ln: {
    ...copies,
    read: (options) => ({
      writes: options.operands.length === 1 ? options.operands.map(baseName) : fromTo(options).target,
    }),
  },
  mkdir: { values: "mZ", longValues: ["mode", "context"], read: ({ operands }) => ({ writes: operands }) },
  mkfifo: { values: "m", longValues: ["mode"], read: ({ operands }) => ({ writes: operands }) },
  mv: {
    ...copies,
    read: (options) => {
      const { sources, target } = fromTo(options)
      return { removes: sources, writes: target }
    },
  },
  patch: { read: () => ({ notes: ["changes the files that the patch names"] }) },
  rm: removesAll,
  rmdir: removesAll,
  rsync: {
    values: "eTfB",
    longValues: ["rsh", "exclude", "include", "exclude-from", "include-from", "filter", "files-from", "temp-dir"],
    read: (options) => {
      const { sources, target } = fromTo(options)
      const removing = options.has("delete", "delete-after", "delete-before", "delete-during", "delete-excluded")
        ? [`removes from ${target.map(({ value }) => value).join(" ")} what the source does not have`]
        : []
      const local = sources.filter((word) => !isRemote(word)).map(({ value }) => value)
      const notes = [...removing, ...(target.some(isRemote) ? sentTo(local, target) : [])]
      const moved = options.has("remove-source-files") ? sources : []
      return { downloads: sources.filter(isRemote), writes: target, removes: moved, notes }
    },
  },
  sed: {
    values: "efl",
    longValues: ["expression", "file", "line-length"],
    read: (options) => ({
      writes: options.has("i", "in-place") ? sedFiles(options) : [],
      unknown: options.has("f", "file") || !sedScripts(options).every(({ value }) => plainSed.test(value)),
    }),
  },
  shred: { values: "ns", longValues: ["iterations", "size"], read: ({ operands }) => ({ removes: operands }) },
  tar: { values: "fCbTX", longValues: ["file", "directory", "files-from", "exclude"], read: tar },
  tee: writesAll,
  touch: { values: "drt", longValues: ["date", "reference", "time"], read: ({ operands }) => ({ writes: operands }) },
  truncate: { values: "sr", longValues: ["size", "reference"], read: ({ operands }) => ({ writes: operands }) },
  uniq: { values: "fsw", read: ({ operands }) => ({ writes: operands.slice(1) }) },
  unlink: removesAll,
  unzip: {
    values: "dxP",
    read: (options) =>
      options.has("l", "t", "p", "Z") ? {} : { writes: options.of("d"), notes: ["unpacks an archive"] },
  },
  xxd: { values: "cglnoRs", read: ({ operands, has }) => ({ writes: operands.slice(1), unknown: has("r", "revert") }) },
}
