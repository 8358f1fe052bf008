// Plain JavaScript for Node 20: `npm start` uses it too, before anything is installed.
import { existsSync, statSync } from "node:fs"
import { isIP, isIPv4 } from "node:net"
import { homedir } from "node:os"
import path from "node:path"
import { parseArgs } from "node:util"

/** What is wrong with the options, and how to correct it. */
export class OptionError extends Error {
  /** @param {string} code one of DocketError's */
  constructor(code, message, cause) {
    super(message, { cause })
    this.code = code
  }
}

/** @param {string} program the command that was called, e.g. `docket serve` */
export const usage = (program) => `Usage: ${program} [options]

  --project DIR   project to open (default: the current directory, for a team none; may be given
                  several times)
  --port N        port to listen on (default: 4180; 0 takes a free one)
  --host ADDRESS  address to listen on (default: 127.0.0.1; others than loopback for a team only)
  --data DIR      data directory (default: DOCKET_DATA, or ~/.docket)
  --trust         let the configuration of the project's own files count as it is now (without it, they can only make
                  permissions stricter)
  --config X      settings above those of all files: a file, or JSON in braces (may be given several times)
  --no-web        without the web app
  --role ROLE     all (default: this process does everything, and has the database for itself), or one of several
                  nodes on a PostgreSQL database: web answers requests, worker runs agents in its host's directories
  --storage NAME  for a worker: hosts that give the same name have the same directories
  --web-follows   do not wait for the web app: the program that started this one (npm start) says when it is built
  --json          print one line of JSON when listening: {url, loginUrl, tokenFile, pid}
  --help          show this text

For a team (docket team init --url https://docket.example.org), one of:

  --tls-cert FILE --tls-key FILE  certificate with its chain, and its key; read again when they change
  --trust-proxy ADDRESS[,CIDR]    believe the forwarded headers of the proxy at this address (may be given several times)
  --insecure-http                 let passwords and cookies cross the network in the clear
`

/** Reads the command line. @throws OptionError invalid_input, unsafe_bind */
export function readOptions(args, cwd, program, env) {
  const values = parse(args, program)
  const port = Number(values.port)
  if (!/^\d+$/.test(values.port) || port > 65_535) {
    throw new OptionError(
      "invalid_input",
      `--port must be a number from 0 to 65535, not ${JSON.stringify(values.port)}`,
    )
  }
  const data = path.resolve(cwd, values.data ?? (env.DOCKET_DATA || path.join(homedir(), ".docket")))
  const reach = readReach(values, cwd)
  const host = readHost(values.host)
  const role = readRole(values.role, env)
  const withTeam = isTeam(data, env)
  // Where secrets are rows, so are the settings of a team: only the service can read them.
  if (!withTeam && !hasSecretRows(env)) requireLoopback(host, values.host, reach)
  if (role === "web" && values.project)
    throw new OptionError("invalid_input", "--project is for a worker: a web node has no directories of projects")
  // The directory in which a team's service was started says nothing about its projects.
  const { project = withTeam || role !== "all" ? [] : ["."] } = values
  return {
    projects: project.map((directory) => path.resolve(cwd, directory)),
    ...(values.project === undefined && { byDefault: true }),
    port,
    host,
    data,
    web: !values["no-web"] && role !== "worker",
    ...(role !== "all" && { node: { role, storage: readStorage(values.storage, role) } }),
    webFollows: values["web-follows"],
    trust: values.trust,
    config: values.config.map((given) => (given.trimStart().startsWith("{") ? given : path.resolve(cwd, given))),
    json: values.json,
    help: values.help,
    ...(reach && { reach }),
  }
}

/** @throws OptionError invalid_input for a role that there is not, or for what a node needs and does not have */
function readRole(role, env) {
  if (role === "all") return role
  if (role !== "web" && role !== "worker")
    throw new OptionError("invalid_input", `--role must be all, web or worker, not ${JSON.stringify(role)}`)
  const needed = {
    DATABASE_URL: "the PostgreSQL database that the nodes share, like postgres://user:password@host/name",
    DOCKET_SECRET_KEY: `the key that the nodes share, for example from: openssl rand -base64 32`,
  }
  for (const [name, what] of Object.entries(needed))
    if (!env[name]) throw new OptionError("invalid_input", `--role ${role} needs ${name}: ${what}`)
  if (Buffer.from(env.DOCKET_SECRET_KEY, "base64").length < 32)
    throw new OptionError("invalid_input", "DOCKET_SECRET_KEY has to be 32 bytes in base64: openssl rand -base64 32")
  return role
}

/** @throws OptionError invalid_input */
function readStorage(storage, role) {
  if (storage === undefined) return null
  if (role !== "worker") throw new OptionError("invalid_input", "--storage is for --role worker")
  if (/^[a-z0-9][a-z0-9-]{0,62}$/.test(storage)) return storage
  const message = `--storage takes small letters, digits and "-", not ${JSON.stringify(storage)}`
  throw new OptionError("invalid_input", message)
}

/** Checks that the directories in the options can be used. @throws OptionError */
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

/** "unknown" when it cannot be inspected: the code that opens it reports the reason. */
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
        project: { type: "string", multiple: true },
        port: { type: "string", default: "4180" },
        host: { type: "string", default: "127.0.0.1" },
        data: { type: "string" },
        "no-web": { type: "boolean", default: false },
        "web-follows": { type: "boolean", default: false },
        role: { type: "string", default: "all" },
        storage: { type: "string" },
        config: { type: "string", multiple: true, default: [] },
        trust: { type: "boolean", default: false },
        "tls-cert": { type: "string" },
        "tls-key": { type: "string" },
        "trust-proxy": { type: "string", multiple: true, default: [] },
        "insecure-http": { type: "boolean", default: false },
        json: { type: "boolean", default: false },
        help: { type: "boolean", short: "h", default: false },
      },
    }).values
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause)
    throw new OptionError("invalid_input", `${reason}\n\n${usage(program)}`, cause)
  }
}

/** The address of each name for this machine: fixed here, because the system could resolve a name differently. */
const loopback = {
  "127.0.0.1": "127.0.0.1",
  localhost: "127.0.0.1",
  "::1": "::1",
  "[::1]": "::1",
}

function readHost(host) {
  const address = loopback[host.toLowerCase()] ?? host.replace(/^\[(.*)\]$/, "$1")
  if (isPlainIP(address)) return address
  throw new OptionError("invalid_input", `--host must be an address, e.g. 0.0.0.0 for all, not ${JSON.stringify(host)}`)
}

/** Excludes addresses with an interface name (`fe80::1%eth0`), which only mean something on this machine. */
const isPlainIP = (address) => isIP(address) !== 0 && !address.includes("%")

/**
 * Whether the service may run with accounts. This is only a first check: the service itself reads the settings, and
 * docket.json, and refuses a contradiction.
 */
function isTeam(data, { DOCKET_AUTH, DOCKET_URL }) {
  if (DOCKET_AUTH === "team") return true
  return DOCKET_AUTH !== "local" && (Boolean(DOCKET_URL) || existsSync(path.join(data, "team.json")))
}

function hasSecretRows({ DATABASE_URL, DOCKET_SECRET_KEY }) {
  return Boolean(DATABASE_URL && DOCKET_SECRET_KEY)
}

function requireLoopback(host, given, reach) {
  if (!Object.values(loopback).includes(host)) throw new OptionError("unsafe_bind", needsTeam(`--host ${given}`))
  if (reach) throw new OptionError("unsafe_bind", needsTeam("--tls-cert, --trust-proxy or --insecure-http"))
}

/** @param {string} what was requested */
export const needsTeam = (what) =>
  `${what} would let other machines run commands on this one. Without accounts Docket listens on 127.0.0.1, localhost or ::1 only; use an SSH tunnel to reach it from elsewhere. For a team, say where people reach it: docket team init --url https://docket.example.org`

function readReach(values, cwd) {
  const { "tls-cert": cert, "tls-key": key, "insecure-http": insecureHttp } = values
  if ((cert === undefined) !== (key === undefined)) {
    throw new OptionError("invalid_input", "--tls-cert and --tls-key belong together: name both files")
  }
  const tls = cert === undefined ? null : { cert: path.resolve(cwd, cert), key: path.resolve(cwd, key) }
  const trustProxy = values["trust-proxy"].flatMap((list) => list.split(",")).map(readNetwork)
  return tls || trustProxy.length > 0 || insecureHttp ? { tls, trustProxy, insecureHttp } : null
}

function readNetwork(text) {
  const [address = "", prefix, ...more] = text.trim().split("/")
  const maxPrefix = isIPv4(address) ? 32 : 128
  const isInRange = /^\d{1,3}$/.test(prefix ?? "") && Number(prefix) > 0 && Number(prefix) <= maxPrefix
  const isPrefixValid = prefix === undefined || isInRange
  if (isPlainIP(address) && isPrefixValid && more.length === 0) return text.trim()
  throw new OptionError(
    "invalid_input",
    `--trust-proxy takes addresses and networks such as 127.0.0.1 or 10.0.0.0/24, not ${JSON.stringify(text)}`,
  )
}
