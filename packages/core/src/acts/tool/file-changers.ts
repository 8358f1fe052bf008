import type { CommandOptions, OptionUsage } from "./command-options.ts"
import type { ShellWord } from "./shell-command.ts"

/** What one command changes, as far as its words show. */
export interface CommandChanges {
  writes?: readonly ShellWord[]
  removes?: readonly ShellWord[]
  /** Addresses that the command downloads from. */
  downloads?: readonly ShellWord[]
  /** Changes that no path names, in words for people. */
  notes?: readonly string[]
  /** The command may change other things too. */
  unknown?: boolean
}

/** How to find out from a command's words what it changes. */
interface ChangeReader extends OptionUsage {
  read(options: CommandOptions): CommandChanges
}

const writesAll: ChangeReader = { read: ({ operands }) => ({ writes: operands }) }
const removesAll: ChangeReader = { read: ({ operands }) => ({ removes: operands }) }
const copyOptions = { values: "tSmgo", longValues: ["target-directory", "suffix", "mode", "group", "owner"] }

/** Programs that send files to other machines or download from them. Source: curl(1), wget(1), scp(1). */
const sendingCommands: Readonly<Record<string, ChangeReader>> = {
  curl: {
    values: "AbcCdDeEFHKmoPQrtTuUwxXyYz",
    longValues: [
      ..."output dump-header cookie-jar data data-ascii data-binary data-raw data-urlencode json form form-string".split(
        " ",
      ),
      ..."upload-file header proxy-header request url-query variable cert key user user-agent cookie referer".split(
        " ",
      ),
      ..."config write-out max-time proxy range url retry connect-timeout".split(" "),
    ],
    read: curl,
  },
  scp: { values: "cDFiJloPSX", read: scp },
  wget: {
    values: "OPiotTUQweDARIX",
    longValues: [
      ..."output-document directory-prefix input-file output-file header user-agent tries timeout post-file".split(" "),
      ..."post-data body-file body-data method".split(" "),
    ],
    read: wget,
  },
}

/**
 * Programs whose arguments name the files that they write and remove. Source: their manuals (coreutils, sed, tar,
 * rsync).
 */
export const fileChangers: Readonly<Record<string, ChangeReader>> = {
  ...sendingCommands,
  chgrp: { read: ({ operands }) => ({ writes: operands.slice(1) }) },
  chmod: {
    // A mode like `-w` looks like an option.
    read: ({ operands, has }) => ({ writes: has("reference", ..."rwxXstugo") ? operands : operands.slice(1) }),
  },
  chown: { read: ({ operands }) => ({ writes: operands.slice(1) }) },
  cp: { ...copyOptions, read: (options) => ({ writes: fromTo(options).target }) },
  dd: {
    read: ({ operands }) => ({
      writes: operands.flatMap((word) =>
        word.value.startsWith("of=") ? [{ ...word, value: word.value.slice(3) }] : [],
      ),
    }),
  },
  gunzip: { read: compress },
  gzip: { read: compress },
  install: {
    ...copyOptions,
    read: (options) => ({ writes: options.has("d", "directory") ? options.operands : fromTo(options).target }),
  },
  ln: {
    ...copyOptions,
    read: (options) => ({
      writes: options.operands.length === 1 ? options.operands.map(baseName) : fromTo(options).target,
    }),
  },
  mkdir: { values: "mZ", longValues: ["mode", "context"], read: ({ operands }) => ({ writes: operands }) },
  mkfifo: { values: "m", longValues: ["mode"], read: ({ operands }) => ({ writes: operands }) },
  mv: {
    ...copyOptions,
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

/** The sources and the target of a command: the last operand, or the directory of `-t`. */
function fromTo(options: CommandOptions): { sources: ShellWord[]; target: ShellWord[] } {
  const directory = options.of("t", "target-directory")
  if (directory.length > 0) return { sources: options.operands, target: directory }
  return { sources: options.operands.slice(0, -1), target: options.operands.slice(-1) }
}

/** The last part of a path or an address; the word itself when there is none. */
export function baseName(word: ShellWord): ShellWord {
  const path = word.value.replace(/[?#].*$/, "").replace(/\/+$/, "")
  const name = path.slice(path.lastIndexOf("/") + 1)
  return name === "" ? word : { ...word, value: name, tilde: false }
}

/** The operands of `sed` without its script. */
function sedFiles(options: CommandOptions): ShellWord[] {
  return options.has("e", "expression", "f", "file") ? options.operands : options.operands.slice(1)
}

function sedScripts(options: CommandOptions): ShellWord[] {
  const given = options.of("e", "expression")
  return given.length > 0 ? given : options.operands.slice(0, 1)
}

/** Substitutions, deletions and prints only; no `sed` command that writes a file or runs a program. */
const plainSed = /^(?:[\d,$]*(?:[dpq]|s([/|#,@])(?:(?!\1|[;\n]).)*\1(?:(?!\1|[;\n]).)*\1[gIip\d]*)(?:;\s*|$))+$/

function compress(options: CommandOptions): CommandChanges {
  return {
    removes: options.has("k", "keep", "c", "stdout") ? [] : options.operands,
    notes: ["packs or unpacks beside the files"],
  }
}

function tar(options: CommandOptions): CommandChanges {
  // The first operand may hold the option letters without a dash.
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

function curl(options: CommandOptions): CommandChanges {
  const downloads = [...options.operands, ...options.of("url")]
  const named = options.has("O", "remote-name", "remote-name-all") ? downloads.map(baseName) : []
  const kept = options.of("o", "output", "D", "dump-header", "c", "cookie-jar")
  const data = ["d", "data", "data-ascii", "data-binary", "data-raw", "data-urlencode", "json", "F", "form"]
  const files = sentTo(curlFiles(options), downloads)
  return {
    downloads,
    writes: [...kept, ...named].filter(({ value }) => value !== "-"),
    notes: files.length > 0 ? files : options.has(...data, "form-string") ? ["sends data to that address"] : [],
    unknown: options.has("K", "config"),
  }
}

/** The local files that `curl` sends, as its options name them. Source: curl(1). */
function curlFiles(options: CommandOptions): string[] {
  return [
    ...options.of("d", "data", "data-ascii", "data-binary", "json", "H", "header", "proxy-header").flatMap(namesFile),
    ...options.of("data-urlencode", "url-query", "variable").flatMap(namesEncodedFile),
    ...options.of("F", "form").flatMap(namesFormFile),
    ...options.of("b", "cookie").flatMap(namesCookieFile),
    ...options.of("T", "upload-file").map(({ value }) => value),
  ]
}

const namesFile = (word: ShellWord) => /^@(.+)$/s.exec(word.value)?.slice(1) ?? []
/** `@file`, or `name@file`; text with a `=` before the `@` is a plain value. */
const namesEncodedFile = (word: ShellWord) => /^[^=@]*@(.+)$/s.exec(word.value)?.slice(1) ?? []
/** `name=@file;type=…` is sent as a file, `name=<file` as text. */
const namesFormFile = (word: ShellWord) =>
  /^[^=]*=[@<]"?([^";]+)/s
    .exec(word.value)
    ?.slice(1)
    .flatMap((files) => files.split(",")) ?? []
/** Cookies are given as `name=value`; a value without `=` names a cookie file. */
const namesCookieFile = ({ value }: ShellWord) => (value === "" || value.includes("=") ? [] : [value])

function wget(options: CommandOptions): CommandChanges {
  const written = options.of("O", "output-document")
  const directory = options.of("P", "directory-prefix")
  const named = directory.length > 0 ? directory : options.operands.map(baseName)
  const files = options.of("post-file", "body-file").map(({ value }) => value)
  return {
    downloads: options.operands,
    writes: (written.length > 0 ? written : named).filter(({ value }) => value !== "-"),
    notes: [
      ...sentTo(files, options.operands),
      ...(options.has("post-data", "body-data") ? ["sends data to that address"] : []),
    ],
    unknown: options.has("i", "input-file"),
  }
}

function scp(options: CommandOptions): CommandChanges {
  const target = options.operands.slice(-1)
  const sources = options.operands.slice(0, -1)
  const local = sources.filter((word) => !isRemote(word)).map(({ value }) => value)
  return {
    downloads: sources.filter(isRemote),
    writes: target,
    notes: target.some(isRemote) ? sentTo(local, target) : [],
    // These options run a program or read options from a file.
    unknown: options.has("o", "S", "D", "F"),
  }
}

/** Whether a source or target of `rsync` or `scp` is on another machine. */
function isRemote({ value }: ShellWord): boolean {
  return /^[^/]+:|:\/\//.test(value)
}

/**
 * Sentences about files that are sent to another machine: "sends the content of a.txt to example.org". `-` is the
 * input.
 */
function sentTo(files: readonly string[], targets: readonly ShellWord[]): string[] {
  const hosts = [...new Set(targets.map(hostOf))].join(", ") || "that address"
  return files.map((file) =>
    file === "-" || file === "." ? `sends its input to ${hosts}` : `sends the content of ${file} to ${hosts}`,
  )
}

/** The host in an address; the address itself when no host is found. */
function hostOf({ value }: ShellWord): string {
  const [, host] = /^(?:\w[\w+.-]*:\/\/)?(?:[^/@]*@)?(\[[^\]]*\]|[^/:?#]+)/.exec(value) ?? []
  return host ?? value
}
