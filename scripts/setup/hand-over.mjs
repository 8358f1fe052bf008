import { spawn } from "node:child_process"
import { accessSync, constants } from "node:fs"
import path from "node:path"
import { stopWith } from "./progress.mjs"
import { root } from "./root.mjs"

/**
 * Runs one of our programs in the foreground, in the directory where the user called npm, so that relative paths are
 * correct. Ends this process with its exit code.
 * @param {import("./toolchain.mjs").Toolchain} toolchain
 * @param {string} program relative to the repository
 * @param {string[]} args
 */
export function handOver({ node, env }, program, args) {
  const child = spawn(node, [path.join(root, program), ...args], {
    cwd: startDirectory(process.env.INIT_CWD ?? process.cwd()),
    env,
    // The program ends when the channel closes, so also when this process is killed.
    stdio: ["inherit", "inherit", "inherit", "ipc"],
  })
  // A terminal sends Ctrl-C to the whole process group, so the program has it already; wait for its clean stop.
  process.on("SIGINT", () => process.stdin.isTTY || child.kill("SIGINT"))
  for (const signal of ["SIGTERM", "SIGHUP"]) process.on(signal, () => child.kill(signal))
  if (process.env.npm_lifecycle_event) stopWithParent(child)
  child.on("error", stopWith)
  child.on("exit", (code, signal) => process.exit(code ?? (signal === "SIGINT" ? 130 : 1)))
}

/**
 * The user's directory. This process may not be allowed to enter it, e.g. root's home for a service user: then a
 * message says that paths must be absolute.
 */
function startDirectory(directory) {
  try {
    accessSync(directory, constants.X_OK)
    return directory
  } catch {
    process.stderr.write(`! this user cannot enter ${directory}; relative paths begin at ${root}\n`)
    return root
  }
}

/** npm starts this process in a shell that passes no signals on: when the shell ends, the program must end too. */
function stopWithParent(child) {
  const parent = process.ppid
  const watch = setInterval(() => {
    if (process.ppid === parent) return
    clearInterval(watch)
    child.kill("SIGTERM")
  }, 500)
}
