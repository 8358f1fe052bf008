import { visibleText } from "@docket/core/rule"
import type { Command } from "commander"
import { projectOption } from "../connect/project-directory.ts"
import { finish } from "../finish.ts"
import { lookAt } from "../known-project.ts"
import { addServiceOptions, type ServiceOptions, withService } from "../service-options.ts"
import { modelLines, stateLine } from "./model-lines.ts"
import { readModelsFile } from "./read-models-file.ts"

interface ListOptions extends ServiceOptions {
  project?: string
  usable?: boolean
  json?: boolean
}

/** `docket models list` and `refresh`: what is known of models, and where it comes from. */
export function addModelCommands(unwritten: AbortSignal, program: Command): void {
  const models = program.command("models").description("what is known of models: limits, prices, what they read")
  const print = (text: string) => process.stdout.write(`${text}\n`)

  addServiceOptions(models.command("list", { isDefault: true }))
    .description("list models with their limits, prices per million tokens and what they read, and how old that is")
    .argument("[provider]", "only the models of this one")
    .option("--project <directory>", projectOption)
    .option("--usable", "only those of providers that are connected")
    .option("--json", "as JSON, for programs")
    .action((providerID: string | undefined, options: ListOptions) =>
      finish(
        unwritten,
        withService(options, async (service) => {
          const { client } = service
          const { place } = await lookAt(service, options.project)
          const { catalogues, providers } = await client.provider.catalogue.query({ ...place, providerID })
          const shown = { catalogues, providers: providers.filter(({ connected }) => connected || !options.usable) }
          print(
            options.json
              ? JSON.stringify(shown, null, 2)
              : modelLines(shown, noModels(providers, providerID)).join("\n"),
          )
        }),
      ),
    )

  addServiceOptions(models.command("refresh"))
    .description("take what is known of models from a file or an address, in the shape of models.dev/api.json")
    .argument("<source>", "a file, - for stdin, or an address")
    .action((source: string, options: ServiceOptions) =>
      finish(
        unwritten,
        withService(options, async ({ client }) => {
          const from = /^https?:\/\//i.test(source) ? { url: source } : await readModelsFile(source, process.stdin)
          print(stateLine(await client.provider.refreshCatalogue.mutate(from)))
        }),
      ),
    )
}

/** Why no model is listed, and what to do. */
function noModels(known: readonly { id: string }[], providerID: string | undefined): string {
  const connect = "save a key in Settings, Models, or name a provider in docket.json"
  if (known.length > 0) return `no provider that is known is connected: ${connect}`
  if (providerID === undefined) return `no model is known: ${connect}`
  return `no models of ${visibleText(providerID)} are known; docket models lists every provider`
}
