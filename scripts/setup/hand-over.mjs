import { spawn } from "node:child_process"
import { accessSync, constants } from "node:fs"
import path from "node:path"
import { stopWith } from "./progress.mjs"
import { root } from "./root.mjs"

/**
 * Runs one of our programs in the foreground, in the directory where npm was called, so that relative paths mean
 * what the user typed. Ends this process with its exit code.
 * @param {import("./toolchain.mjs").Toolchain} toolchain
 * @param {string} program relative to the repository
 * @param {string[]} args
 */
export function handOver({ node, env }, program, args) {
  const child = spawn(node, [path.join(root, program), ...args], {
    cwd: startDirectory(process.env.INIT_CWD ?? process.cwd()),
    env,
    // The program ends when the channel closes, so also when we are killed.
    stdio: ["inherit", "inherit", "inherit", "ipc"],
  })
  // A terminal sends Ctrl-C to the whole group, so the program has it already; we only wait for its clean stop.
  process.on("SIGINT", () => process.stdin.isTTY || child.kill("SIGINT"))
  for (const signal of ["SIGTERM", "SIGHUP"]) process.on(signal, () => child.kill(signal))
  if (process.env.npm_lifecycle_event) stopWithParent(child)
  child.on("error", stopWith)
  child.on("exit", (code, signal) => process.exit(code ?? (signal === "SIGINT" ? 130 : 1)))
}

/**
 * Where the user stands. That may be closed to us, as root's home is to the user of a service: then paths have to be whole,
 * which is said.
 */
function startDirectory(wanted) {
  try {
    accessSync(wanted, constants.X_OK)
    return wanted
  } catch {
    process.stderr.write(`! this user cannot enter ${wanted}; relative paths begin at ${root}\n`)
    return root
  }
}

/** npm runs us in a shell that passes no signal on: when it was ended, the program must not stay behind. */
function stopWithParent(child) {
  const parent = process.ppid
  const watch = setInterval(() => {
    if (process.ppid === parent) return
    clearInterval(watch)
    child.kill("SIGTERM")
  }, 500)
}
