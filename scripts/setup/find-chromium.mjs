import { accessSync, constants, existsSync } from "node:fs"
import path from "node:path"
import { SetupProblem } from "./progress.mjs"
import { root } from "./root.mjs"
import { run } from "./run.mjs"

/** The headless shell first: it has no windows and takes a fifth less processor time for the same tests. */
const names = [
  "chromium-headless-shell",
  "chromium",
  "chromium-browser",
  "google-chrome-stable",
  "google-chrome",
  "chrome",
]
const macApps = [
  "/Applications/Google Chrome.app/Contents/MacOS/Google Chrome",
  "/Applications/Chromium.app/Contents/MacOS/Chromium",
]

/**
 * Finds a Chromium for the browser tests: CHROMIUM_PATH, an installed one, or Playwright's own; else it installs one
 * (apt-get as root on Debian, Playwright's download elsewhere).
 * @param {import("./toolchain.mjs").Toolchain} toolchain
 * @param {(what: string) => void} announce
 * @returns {Promise<string>} the program
 */
export async function findChromium(toolchain, announce) {
  const named = process.env.CHROMIUM_PATH
  if (named) {
    if (isProgram(named)) return named
    throw new SetupProblem(`CHROMIUM_PATH is ${named}, which is not a program.`)
  }
  const found = installed() ?? (await playwrightsOwn(toolchain))
  if (found) return found
  const debian = process.getuid?.() === 0 && existsSync("/usr/bin/apt-get")
  announce(`installing Chromium with ${debian ? "apt-get" : "Playwright"}`)
  const { output } = debian ? await installWithApt() : await installWithPlaywright(toolchain)
  const now = installed() ?? (await playwrightsOwn(toolchain))
  if (now) return now
  throw new SetupProblem(
    `The browser tests need Chromium. Install it, or set CHROMIUM_PATH to the program.\n\n${output.trim().split("\n").slice(-8).join("\n")}`,
  )
}

function installed() {
  const directories = (process.env.PATH ?? "").split(path.delimiter)
  const candidates = directories.flatMap((directory) => names.map((name) => path.join(directory, name)))
  return [...candidates, ...macApps].find(isProgram) ?? null
}

async function playwrightsOwn({ node, env }) {
  const print = 'import("@playwright/test").then((p) => console.log(p.chromium.executablePath()))'
  const { output } = await run([node, "-e", print], { cwd: path.join(root, "e2e"), env })
  const file = output.trim().split("\n").at(-1) ?? ""
  return isProgram(file) ? file : null
}

async function installWithApt() {
  const env = { ...process.env, DEBIAN_FRONTEND: "noninteractive" }
  await run(["apt-get", "update"], { env })
  const install = (name) => run(["apt-get", "install", "-y", "--no-install-recommends", name], { env })
  const shell = await install("chromium-headless-shell")
  // Older releases have only the whole browser.
  return shell.code === 0 ? shell : await install("chromium")
}

async function installWithPlaywright({ node, env }) {
  const cli = path.join(root, "e2e/node_modules/@playwright/test/cli.js")
  return await run([node, cli, "install", "chromium"], { env })
}

function isProgram(file) {
  try {
    accessSync(file, constants.X_OK)
    return path.isAbsolute(file)
  } catch {
    return false
  }
}
