import "./require-node-20.mjs"
import { spawn } from "node:child_process"
import path from "node:path"
import { prepare } from "./setup/prepare.mjs"
import { stopWith } from "./setup/progress.mjs"
import { root } from "./setup/root.mjs"

const args = process.argv.slice(2)

try {
  const toolchain = await prepare({ web: !args.includes("--no-web") && !args.includes("--help") })
  serve(toolchain)
} catch (error) {
  stopWith(error)
}

/** Runs the server in the directory where npm was called, so that relative paths mean what the user typed. */
function serve({ node, env }) {
  const server = spawn(node, [path.join(root, "apps/server/src/main.ts"), ...args], {
    cwd: process.env.INIT_CWD ?? process.cwd(),
    env,
    stdio: "inherit",
  })
  // A terminal sends Ctrl-C to the whole group, so the server has it already; we only wait for its clean stop.
  process.on("SIGINT", () => process.stdin.isTTY || server.kill("SIGINT"))
  for (const signal of ["SIGTERM", "SIGHUP"]) process.on(signal, () => server.kill(signal))
  if (process.env.npm_lifecycle_event) stopWithParent(server)
  server.on("error", stopWith)
  server.on("exit", (code, signal) => process.exit(code ?? (signal === "SIGINT" ? 130 : 1)))
}

/** npm runs us in a shell that passes no signal on: when it was ended, the server must not stay behind. */
function stopWithParent(server) {
  const parent = process.ppid
  const watch = setInterval(() => {
    if (process.ppid === parent) return
    clearInterval(watch)
    server.kill("SIGTERM")
  }, 500)
}
