import { baseName, type ChangeReader, type CommandChanges } from "./command-changes.ts"
import type { CommandOptions } from "./command-options.ts"
import type { ShellWord } from "./shell-command.ts"

/** Whether a source or target of `rsync` and `scp` lies on another machine. */
export function isRemote({ value }: ShellWord): boolean {
  return /^[^/]+:|:\/\//.test(value)
}

/** That files leave the machine, one sentence each: "sends the content of a.txt to example.org". `-` is the input. */
export function sentTo(files: readonly string[], targets: readonly ShellWord[]): string[] {
  const hosts = [...new Set(targets.map(hostOf))].join(", ") || "that address"
  return files.map((file) =>
    file === "-" || file === "." ? `sends its input to ${hosts}` : `sends the content of ${file} to ${hosts}`,
  )
}

/** The machine that an address names; the address as it is where none can be told. */
function hostOf({ value }: ShellWord): string {
  const [, host] = /^(?:\w[\w+.-]*:\/\/)?(?:[^/@]*@)?(\[[^\]]*\]|[^/:?#]+)/.exec(value) ?? []
  return host ?? value
}

const namesFile = (word: ShellWord) => /^@(.+)$/s.exec(word.value)?.slice(1) ?? []
/** `@file`, or `name@file` where the text before it is no value of its own. */
const namesEncodedFile = (word: ShellWord) => /^[^=@]*@(.+)$/s.exec(word.value)?.slice(1) ?? []
/** `name=@file;type=…` is sent as a file, `name=<file` as text. */
const namesFormFile = (word: ShellWord) =>
  /^[^=]*=[@<]"?([^";]+)/s
    .exec(word.value)
    ?.slice(1)
    .flatMap((files) => files.split(",")) ?? []
/** Cookies are given as `name=value`; what has none is a file of them. */
const namesCookieFile = ({ value }: ShellWord) => (value === "" || value.includes("=") ? [] : [value])

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
    // They run a program, or read options from a file.
    unknown: options.has("o", "S", "D", "F"),
  }
}

/** Programs that take files to other machines, and fetch from there. Source: curl(1), wget(1), scp(1). */
export const sendingCommands: Readonly<Record<string, ChangeReader>> = {
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
