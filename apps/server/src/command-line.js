// Plain JavaScript that needs Node 20 alone: `npm start` reads it too, before anything is installed.
import { statSync } from "node:fs"
import { homedir } from "node:os"
import path from "node:path"
import { parseArgs } from "node:util"

/** What is wrong with the options, and what to give instead. */
export class OptionError extends Error {
  /** @param {string} code one of DocketError */
  constructor(code, message, cause) {
    super(message, { cause })
    this.code = code
  }
}

/** @param {string} program as it was called, e.g. `docket serve` */
export const usage = (program) => `Usage: ${program} [options]

  --project DIR   project to open (default: the current directory; may be given several times)
  --port N        port to listen on (default: 4180; 0 takes a free one)
  --host ADDRESS  loopback address to listen on (default: 127.0.0.1)
  --data DIR      data directory (default: ~/.docket)
  --trust         let the configuration of the project's own files count as it is now (without it, they can only make
                  permissions stricter)
  --config X      settings above those of all files: a file, or JSON in braces (may be given several times)
  --no-web        without the web app
  --json          print one line of JSON when listening: {url, loginUrl, tokenFile, pid}
  --help          show this text
`

/** Reads the command line. @throws OptionError invalid_input, unsafe_bind */
export function readOptions(args, cwd, program) {
  const values = parse(args, program)
  const port = Number(values.port)
  if (!/^\d+$/.test(values.port) || port > 65_535) {
    throw new OptionError(
      "invalid_input",
      `--port must be a number from 0 to 65535, not ${JSON.stringify(values.port)}`,
    )
  }
  return {
    projects: values.project.map((directory) => path.resolve(cwd, directory)),
    port,
    host: requireLoopback(values.host),
    data: values.data === undefined ? path.join(homedir(), ".docket") : path.resolve(cwd, values.data),
    web: !values["no-web"],
    trust: values.trust,
    config: values.config.map((given) => (given.trimStart().startsWith("{") ? given : path.resolve(cwd, given))),
    json: values.json,
    help: values.help,
  }
}

/** Sees to it that the directories which the options name can be used. @throws OptionError */
export function requireDirectories({ projects, data }) {
  for (const directory of projects) {
    const kind = kindOf(directory)
    if (kind !== "nothing" && kind !== "file") continue
    const problem = kind === "nothing" ? "there is no directory" : "this is not a directory:"
    throw new OptionError("project_directory_missing", `--project: ${problem} ${directory}. Name one that exists.`)
  }
  if (kindOf(data) === "file") {
    throw new OptionError("store_unavailable", `--data: this is not a directory: ${data}. Name one, or a new one.`)
  }
}

/** "unknown" where it may not be looked at: what opens it says why. */
function kindOf(place) {
  try {
    const found = statSync(place, { throwIfNoEntry: false })
    if (found === undefined) return "nothing"
    return found.isDirectory() ? "directory" : "file"
  } catch {
    return "unknown"
  }
}

function parse(args, program) {
  try {
    return parseArgs({
      args,
      options: {
        project: { type: "string", multiple: true, default: ["."] },
        port: { type: "string", default: "4180" },
        host: { type: "string", default: "127.0.0.1" },
        data: { type: "string" },
        "no-web": { type: "boolean", default: false },
        config: { type: "string", multiple: true, default: [] },
        trust: { type: "boolean", default: false },
        json: { type: "boolean", default: false },
        help: { type: "boolean", short: "h", default: false },
      },
    }).values
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause)
    throw new OptionError("invalid_input", `${reason}\n\n${usage(program)}`, cause)
  }
}

/** The one address family a name stands for is decided here, so that nothing can resolve it otherwise. */
const loopback = {
  "127.0.0.1": "127.0.0.1",
  localhost: "127.0.0.1",
  "::1": "::1",
  "[::1]": "::1",
}

function requireLoopback(host) {
  const address = loopback[host.toLowerCase()]
  if (address) return address
  throw new OptionError(
    "unsafe_bind",
    `--host ${host} would let other machines run commands on this one. Docket listens on 127.0.0.1, localhost or ::1 only; use an SSH tunnel to reach it from elsewhere.`,
  )
}
