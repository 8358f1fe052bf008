import { homedir } from "node:os"
import path from "node:path"
import { parseArgs } from "node:util"
import { DocketError } from "@docket/core"

export interface ServiceOptions {
  /** Absolute directories of the projects to open; the first is the one to start in. */
  projects: string[]
  /** 0 takes any free port. */
  port: number
  host: string
  /** Absolute path of the data directory. */
  data: string
  web: boolean
  /** Lets the configuration of the projects count as it is now. */
  trust: boolean
}

export const usage = `Usage: docket serve [options]

  --project DIR   project to open (default: the current directory; may be given several times)
  --port N        port to listen on (default: 4180; 0 takes a free one)
  --host ADDRESS  loopback address to listen on (default: 127.0.0.1)
  --data DIR      data directory (default: ~/.docket)
  --trust         let the configuration of the project's own files count as it is now (without it, they can only make
                  permissions stricter)
  --no-web        without the web app
  --json          print one line of JSON when listening: {url, loginUrl, tokenFile, pid}
  --help          show this text
`

/** Reads the command line. @throws invalid_input, unsafe_bind */
export function parseOptions(args: string[], cwd: string): ServiceOptions & { json: boolean; help: boolean } {
  const { values } = parseArguments(args)
  const port = Number(values.port)
  if (!/^\d+$/.test(values.port) || port > 65_535) {
    throw new DocketError(
      "invalid_input",
      `--port must be a number from 0 to 65535, not ${JSON.stringify(values.port)}`,
    )
  }
  return {
    projects: values.project.map((directory) => path.resolve(cwd, directory)),
    port,
    host: requireLoopback(values.host),
    data: values.data === undefined ? path.join(homedir(), ".docket") : path.resolve(cwd, values.data),
    web: values.web,
    trust: values.trust,
    json: values.json,
    help: values.help,
  }
}

function parseArguments(args: string[]) {
  try {
    return parseArgs({
      args,
      allowNegative: true,
      options: {
        project: { type: "string", multiple: true, default: ["."] },
        port: { type: "string", default: "4180" },
        host: { type: "string", default: "127.0.0.1" },
        data: { type: "string" },
        web: { type: "boolean", default: true },
        trust: { type: "boolean", default: false },
        json: { type: "boolean", default: false },
        help: { type: "boolean", short: "h", default: false },
      },
    })
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause)
    throw new DocketError("invalid_input", `${reason}\n\n${usage}`, { cause })
  }
}

/** The one address family a name stands for is decided here, so that nothing can resolve it otherwise. */
const loopback: Record<string, string> = {
  "127.0.0.1": "127.0.0.1",
  localhost: "127.0.0.1",
  "::1": "::1",
  "[::1]": "::1",
}

function requireLoopback(host: string): string {
  const address = loopback[host.toLowerCase()]
  if (address) return address
  throw new DocketError(
    "unsafe_bind",
    `--host ${host} would let other machines run commands on this one. Docket listens on 127.0.0.1, localhost or ::1 only; use an SSH tunnel to reach it from elsewhere.`,
  )
}
