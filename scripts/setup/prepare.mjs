import { alone } from "./alone.mjs"
import { addWeb, buildPrograms } from "./build-package.mjs"
import { buildWeb } from "./build-web.mjs"
import { generateDatabaseClient } from "./generate-database-client.mjs"
import { installPackages } from "./install-packages.mjs"
import { SetupProblem, step } from "./progress.mjs"
import { run } from "./run.mjs"
import { findToolchain } from "./toolchain.mjs"

/**
 * Makes a clone ready to be worked on: Node 24 and pnpm, packages, database client, web build. Each part is skipped when
 * it is up to date, so a second call takes a few hundred milliseconds. Of two parallel calls, one waits for the other.
 * @param {{ web: boolean, quiet?: boolean }} options quiet: prints only slow steps
 * @returns {Promise<import("./toolchain.mjs").Toolchain>}
 */
export async function prepare({ web, quiet = false }) {
  const { toolchain, part } = await install({ quiet })
  await generateAlone(part, toolchain)
  if (web) await webAlone(part, toolchain)
  return toolchain
}

/**
 * Makes a clone ready to run, in the same way: what runs is built as it is installed elsewhere.
 * @param {{ web: boolean, quiet?: boolean }} options quiet: prints only slow steps
 * @returns {Promise<{ toolchain: import("./toolchain.mjs").Toolchain, directory: string, webFollows: Promise<void> | null }>}
 *   the directory of the build, relative to the repository; `webFollows` resolves when the web app is there too, and is
 *   null when it is there already
 */
export async function prepareBuild({ web, quiet = false }) {
  const { toolchain, part } = await install({ quiet, forBuild: true })
  // The web app takes longest and does not need the others.
  let onTakesTime
  const takesTime = new Promise((resolve) => {
    onTakesTime = resolve
  })
  const programs = programsAlone(part, toolchain)
  const onWait = (holder) => {
    onTakesTime()
    waitsFor("builds the web app")(holder)
  }
  const work = async () => {
    await part("web app", (announce) =>
      buildWeb(
        toolchain,
        (what) => {
          onTakesTime()
          announce(what)
        },
        // People wait for the programs first.
        { givesWay: true },
      ),
    )
    await addWeb(toolchain, await programs)
  }
  const webAdded = web ? alone(work, { lock: "build", onWait }) : Promise.resolve()
  const follows = Promise.race([takesTime.then(() => true), webAdded.then(() => false)])
  const [directory] = await Promise.all([programs, follows])
  return { toolchain, directory, webFollows: (await follows) ? webAdded : null }
}

async function install({ quiet, ...options }) {
  const { code } = await run(["git", "--version"])
  if (code !== 0)
    throw new SetupProblem("git was not found. Install it (Debian: apt install git, macOS: xcode-select --install).")
  const part = (name, work) => step(name, work, { quiet })
  let toolchain
  const work = async () => {
    await part("tools", async (announce) => {
      toolchain = await findToolchain(announce)
      return `Node ${toolchain.version}`
    })
    await part("packages", (announce) => installPackages(toolchain, announce, options))
  }
  await alone(work, { lock: "install", onWait: waitsFor("installs packages") })
  return { toolchain, part }
}

const generateAlone = (part, toolchain) =>
  alone(() => part("database", (announce) => generateDatabaseClient(toolchain, announce)), {
    lock: "database",
    onWait: waitsFor("generates the database client"),
  })

async function programsAlone(part, toolchain) {
  await generateAlone(part, toolchain)
  let directory
  const work = () =>
    part("programs", async (announce) => {
      const built = await buildPrograms(toolchain, announce)
      directory = built.directory
      return built.said
    })
  await alone(work, { lock: "programs", onWait: waitsFor("builds the programs") })
  return directory
}

// A separate lock, so that a command without the web app does not wait for its build.
const webAlone = (part, toolchain) =>
  alone(() => part("web app", (announce) => buildWeb(toolchain, announce)), {
    lock: "build",
    onWait: waitsFor("builds the web app"),
  })

const waitsFor = (work) => (holder) =>
  process.stderr.write(`… waiting   process ${holder} ${work} in this folder; this goes on when that is done\n`)
