import { existsSync } from "node:fs"
import path from "node:path"
import { readStamp, writeStamp } from "./fingerprint.mjs"
import { SetupProblem } from "./progress.mjs"
import { run } from "./run.mjs"

/** The versions that npx fetches when those of this process are too old. */
const wanted = { node: "24.21.0", pnpm: "10.34.9" }
const stamp = ".docket/toolchain.json"

/**
 * @typedef {object} Toolchain
 * @property {string} node the program, Node 24.7 or newer
 * @property {string} pnpm the program
 * @property {string} version of Node
 * @property {Record<string, string | undefined>} env with both on the PATH
 */

/**
 * Finds Node 24.7+ and pnpm: this process if it is new enough, else the npm packages `node` and `pnpm`, which npx keeps
 * in npm's cache. Their paths are stored, because asking npx takes half a second.
 * @param {(what: string) => void} announce
 * @returns {Promise<Toolchain>}
 */
export async function findToolchain(announce) {
  const known = parse(await readStamp(stamp))
  const isUsable = known?.wanted === versionKey() && existsSync(known.node) && existsSync(known.pnpm)
  if (isUsable) return complete(known)
  announce(`getting Node ${wanted.node} and pnpm ${wanted.pnpm} from npm, if they are not in its cache`)
  const found = await askNpx()
  await writeStamp(stamp, JSON.stringify({ ...found, wanted: versionKey() }))
  return complete(found)
}

/** Other wanted versions, or another Node that runs this, make the stored paths invalid. */
function versionKey() {
  return `${wanted.node} ${wanted.pnpm} ${process.versions.node}`
}

async function askNpx() {
  const recent = isRecent(process.versions.node)
  const packages = recent
    ? [`--package=pnpm@${wanted.pnpm}`]
    : [`--package=node@${wanted.node}`, `--package=pnpm@${wanted.pnpm}`]
  const print =
    "console.log(JSON.stringify({ node: process.execPath, version: process.versions.node, path: process.env.PATH }))"
  const { code, output } = await run([...npx(), "--yes", ...packages, "--", "node", "-e", print])
  const answer = parse(output.split("\n").find((line) => line.startsWith('{"node"')))
  if (code !== 0 || !answer) throw new SetupProblem(explain(code, output))
  if (!isRecent(answer.version))
    throw new SetupProblem(
      `npm gave Node ${answer.version} instead of ${wanted.node}. If npm is set to ignore install scripts, run: npm config set ignore-scripts false`,
    )
  const name = process.platform === "win32" ? "pnpm.cmd" : "pnpm"
  const pnpm = answer.path
    .split(path.delimiter)
    .map((directory) => path.join(directory, name))
    .find((file) => existsSync(file))
  if (!pnpm) throw new SetupProblem("npx did not provide pnpm. Remove npm's cache folder _npx and try again.")
  return { node: answer.node, version: answer.version, pnpm }
}

/** Whether Node has everything that Docket uses: `crypto.argon2` came with 24.7. */
function isRecent(version) {
  const [major, minor] = version.split(".").map(Number)
  return major > 24 || (major === 24 && minor >= 7)
}

/** The npx of the npm that runs this process, else the one on the PATH. */
function npx() {
  const npm = process.env.npm_execpath ?? ""
  const script = path.join(path.dirname(npm), "npx-cli.js")
  return npm.endsWith("npm-cli.js") && existsSync(script) ? [process.execPath, script] : ["npx"]
}

function explain(code, output) {
  if (code === 127) return "npx was not found. It comes with npm: install Node 20 or newer with npm from nodejs.org."
  if (/ENOTFOUND|EAI_AGAIN|ECONNREFUSED|ETIMEDOUT|ENETUNREACH|network/i.test(output))
    return `The first start needs the network: npm could not reach its registry to get Node ${wanted.node} and pnpm. Connect, or set npm's proxy, and try again.\n\n${output.trim()}`
  return `npx could not provide Node ${wanted.node} and pnpm ${wanted.pnpm}:\n\n${output.trim()}`
}

function complete({ node, pnpm, version }) {
  const places = [path.dirname(node), path.dirname(pnpm), process.env.PATH]
  return { node, pnpm, version, env: { ...process.env, PATH: places.join(path.delimiter) } }
}

function parse(text) {
  try {
    return JSON.parse(text ?? "null")
  } catch {
    return null
  }
}
