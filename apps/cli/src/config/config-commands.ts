import type { Command } from "commander"
import { projectOption } from "../connect/project-directory.ts"
import { exitCode } from "../exit-code.ts"
import { finish } from "../finish.ts"
import { lookAt } from "../known-project.ts"
import { addServiceOptions, type ServiceOptions, withService } from "../service-options.ts"
import { configLines, valuesAt } from "./config-lines.ts"

interface ConfigOptions extends ServiceOptions {
  project?: string
  json?: boolean
}

/**
 * `docket config`: the effective configuration of a project and the source of each value, as the running service reads
 * it.
 */
export function addConfigCommands(unwritten: AbortSignal, program: Command): void {
  const show = async (options: ConfigOptions, key: string | null) =>
    withService(options, async (service) => {
      const { client } = service
      const { place } = await lookAt(service, options.project)
      const shown = valuesAt(await client.config.effective.query(place), key)
      const text = options.json ? JSON.stringify(shown, null, 2) : configLines(shown, key).join("\n")
      process.stdout.write(`${text}\n`)
    })

  const config = addConfigOptions(program.command("config"))
    .description("show every value that counts, where it comes from, and what is wrong; secrets are never shown")
    .action((options: ConfigOptions) => finish(unwritten, show(options, null)))

  addConfigOptions(config.command("get"))
    .description("show one key, or all below it")
    .argument("<key>", "as in docket.json, with dots: permission.bash")
    .action((key: string, _own: ConfigOptions, command: Command) =>
      finish(unwritten, show(command.optsWithGlobals(), key)),
    )

  config
    .command("schema")
    .description("print the JSON schema of docket.json, for editors")
    .action(() => finish(unwritten, printSchema()))
}

async function printSchema(): Promise<number> {
  const { configJsonSchema } = await import("@docket/core/config-schema")
  process.stdout.write(`${JSON.stringify(configJsonSchema(), null, 2)}\n`)
  return exitCode.done
}

function addConfigOptions(command: Command): Command {
  return addServiceOptions(command)
    .option("--project <directory>", projectOption)
    .option("--json", "as JSON, for programs")
}
