import { homedir } from "node:os"
import path from "node:path"
import type { Command } from "commander"
import packageJson from "../../package.json" with { type: "json" }
import { findLiveServer } from "../connect/live-server.ts"
import { env } from "../env.ts"
import { finish } from "../finish.ts"
import { operate } from "../operate/operate.ts"
import { ownData } from "../operate/own-data.ts"
import { findInstallation } from "./find-installation.ts"
import { runNpm } from "./run-npm.ts"
import { tryPackage } from "./try-package.ts"
import { uninstall } from "./uninstall.ts"
import { type UpgradeDeps, upgrade } from "./upgrade.ts"

interface Options {
  data?: string
  sha256?: string
}

/** `docket upgrade` and `docket uninstall`: the program itself, as npm installed it. */
export function addInstallationCommands(unwritten: AbortSignal, program: Command): void {
  const dataOption = [
    "--data <directory>",
    "data directory of this machine (default: DOCKET_DATA, or ~/.docket)",
  ] as const

  program
    .command("upgrade")
    .description("try another version, and put it in the place of this one after a backup")
    .argument("<package>", "a file like docket-1.2.3.tgz, or its address")
    .option("--sha256 <sum>", "the sum that the package must have")
    .option(...dataOption)
    .action((from: string, options: Options) => {
      const work = async () => {
        const data = await ownData(options)
        const { version } = packageJson
        const request = { from, sha256: options.sha256 ?? null, version, installation: findInstallation(), data }
        return await upgrade(depsFor(data), request)
      }
      return finish(unwritten, work())
    })

  program
    .command("uninstall")
    .description("remove the program; data stays")
    .option(...dataOption)
    .action((options: Options) => {
      const work = async () => {
        const data = await ownData(options)
        const { userConfigDirectory } = await import("@docket/core/other-programs")
        const config = userConfigDirectory({ home: homedir(), env: { XDG_CONFIG_HOME: env.XDG_CONFIG_HOME } })
        const cache = path.join(env.XDG_CACHE_HOME || path.join(homedir(), ".cache"), "docket")
        return await uninstall(depsFor(data), { installation: findInstallation(), data, config, cache })
      }
      return finish(unwritten, work())
    })
}

function depsFor(data: string): UpgradeDeps {
  return {
    runningService: findLiveServer,
    backUp: (file) => operate({ kind: "backup", file, withKeys: true, data, json: false }),
    npm: runNpm,
    tryPackage: (file) => tryPackage(runNpm, file),
    say: (line) => void process.stdout.write(`${line}\n`),
    complain: (line) => void process.stderr.write(`docket: ${line}\n`),
    now: () => new Date(),
  }
}
