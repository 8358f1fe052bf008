import { baseName, type ChangeReader, type WordedChanges } from "./change-words.ts"
import type { CommandOptions } from "./command-options.ts"
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

function remote({ value }: ShellWord): boolean {
  return /^[^/]+:|:\/\//.test(value)
}

function packed(options: CommandOptions): WordedChanges {
  return {
    removes: options.has("k", "keep", "c", "stdout") ? [] : options.operands,
    notes: ["packs or unpacks beside the files"],
  }
}

function tar(options: CommandOptions): WordedChanges {
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

function curl(options: CommandOptions): WordedChanges {
  const downloads = [...options.operands, ...options.of("url")]
  const named = options.has("O", "remote-name", "remote-name-all") ? downloads.map(baseName) : []
  const kept = options.of("o", "output", "D", "dump-header", "c", "cookie-jar")
  const sends = options.has(
    "d",
    "data",
    "data-binary",
    "data-raw",
    "data-urlencode",
    "json",
    "F",
    "form",
    "T",
    "upload-file",
  )
  return {
    downloads,
    writes: [...kept, ...named].filter(({ value }) => value !== "-"),
    notes: sends ? ["sends data to that address"] : [],
    unknown: options.has("K", "config"),
  }
}

function wget(options: CommandOptions): WordedChanges {
  const written = options.of("O", "output-document")
  const directory = options.of("P", "directory-prefix")
  const named = directory.length > 0 ? directory : options.operands.map(baseName)
  return {
    downloads: options.operands,
    writes: (written.length > 0 ? written : named).filter(({ value }) => value !== "-"),
    unknown: options.has("i", "input-file"),
  }
}

/** Programs whose words say which files they write and remove. Source: their manuals (coreutils, sed, tar, curl, wget, rsync). */
export const fileChangers: Readonly<Record<string, ChangeReader>> = {
  chgrp: { read: ({ operands }) => ({ writes: operands.slice(1) }) },
  chmod: {
    // A mode like `-w` looks like an option.
    read: ({ operands, has }) => ({ writes: has("reference", ..."rwxXstugo") ? operands : operands.slice(1) }),
  },
  chown: { read: ({ operands }) => ({ writes: operands.slice(1) }) },
  cp: { ...copies, read: (options) => ({ writes: fromTo(options).target }) },
  curl: {
    values: "AbcCdDeEFHKmoPQrtTuUwxXyYz",
    longValues: [
      ..."output dump-header cookie-jar data data-binary data-raw data-urlencode json form upload-file header request".split(
        " ",
      ),
      ..."user user-agent cookie referer config write-out max-time proxy range url retry connect-timeout".split(" "),
    ],
    read: curl,
  },
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
      const notes = options.has("delete", "delete-after", "delete-before", "delete-during", "delete-excluded")
        ? [`removes from ${target.map(({ value }) => value).join(" ")} what the source does not have`]
        : []
      const moved = options.has("remove-source-files") ? sources : []
      return { downloads: sources.filter(remote), writes: target, removes: moved, notes }
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
  wget: {
    values: "OPiotTUQweDARIX",
    longValues: [
      "output-document",
      "directory-prefix",
      "input-file",
      "output-file",
      "header",
      "user-agent",
      "tries",
      "timeout",
    ],
    read: wget,
  },
  xxd: { values: "cglnoRs", read: ({ operands, has }) => ({ writes: operands.slice(1), unknown: has("r", "revert") }) },
}
