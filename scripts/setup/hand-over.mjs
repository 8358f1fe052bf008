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
 * @param {Promise<void> | null} [webFollows] resolves when the web app is built, for a service that starts before: it gets
 *   a message then; a build that fails stops it
 */
export function handOver({ node, env }, program, args, webFollows = null) {
  const child = spawn(node, [path.join(root, program), ...(webFollows ? ["--web-follows"] : []), ...args], {
    cwd: startDirectory(process.env.INIT_CWD ?? process.cwd()),
    env,
    // The program ends when the channel closes, so also when this process is killed.
    stdio: ["inherit", "inherit", "inherit", "ipc"],
  })
  let stopping = false
  let failure = null
  const stop = (signal) => {
    stopping = true
    // A terminal sends Ctrl-C to the whole process group, so the program has it already; wait for its clean stop.
    if (signal !== "SIGINT" || !process.stdin.isTTY) child.kill(signal)
  }
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"]) process.on(signal, () => stop(signal))
  if (process.env.npm_lifecycle_event) stopWithParent(child)
  webFollows?.then(
    () => child.connected && child.send("the web app is built"),
    (error) => {
      // Ctrl-C ends the build too.
      if (stopping) return
      failure = error
      child.kill("SIGTERM")
    },
  )
  child.on("error", stopWith)
  child.on("exit", (code, signal) => {
    if (failure !== null) stopWith(failure)
    process.exit(code ?? (signal === "SIGINT" ? 130 : 1))
  })
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
