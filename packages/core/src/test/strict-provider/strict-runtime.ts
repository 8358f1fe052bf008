import { mkdir, mkdtemp, realpath, rm, writeFile } from "node:fs/promises"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { rehearsalLoader } from "../../engine/rehearsal/load-rehearsal.ts"
import type { PromptInput, Turn } from "../../ground/schema/index.ts"
import type { RuntimeDeps } from "../../runtime/runtime-deps.ts"
import { createProviders } from "../../setup/provider/create-providers.ts"
import { type ScriptedRuntime, scriptedRuntime } from "../scripted-runtime.ts"
import type { Reply } from "./reply.ts"
import { type Asked, type Format, type StrictProvider, startStrictProvider } from "./start-strict-provider.ts"

export interface StrictRuntime extends AsyncDisposable {
  host: ScriptedRuntime
  provider: StrictProvider
  /** Prompts a model in this format (`m` unless named) and waits for the end of the turn. */
  ask(format: Format, input: string | Omit<PromptInput, "model">, modelID?: string): Promise<Turn>
}

/** A runtime whose models use HTTP and a provider that refuses what the real one refuses. */
export async function strictRuntime(
  script: (asked: Asked) => Reply,
  options: {
    config?: object
    models?: Partial<Record<Format, object>>
    /** Names of other models by format. */
    others?: Partial<Record<Format, string[]>>
    extensions?: RuntimeDeps["extensions"]
  } = {},
): Promise<StrictRuntime> {
  const provider = await startStrictProvider(script)
  const directory = await realpath(await mkdtemp(join(tmpdir(), "docket-strict-")))
  const configDirectory = join(directory, ".home", ".config", "docket")
  await mkdir(configDirectory, { recursive: true })
  const config = {
    ...options.config,
    provider: provider.config(options.models, options.others),
    model: "strict-anthropic/m",
  }
  await writeFile(join(configDirectory, "docket.json"), JSON.stringify(config))
  const providers = createProviders({
    dataDirectory: join(directory, ".data"),
    env: {},
    localServers: [],
    loadRehearsal: rehearsalLoader(),
  })
  const unused = () => {
    throw new Error("the providers answer")
  }
  const host = await scriptedRuntime(unused, {
    directory,
    providers,
    ...(options.extensions && { extensions: options.extensions }),
  })
  return {
    host,
    provider,
    async ask(format, input, modelID = "m") {
      const prompt = typeof input === "string" ? { parts: [{ type: "text" as const, text: input }] } : input
      const model = { providerID: `strict-${format}`, modelID }
      const turn = await host.runtime.prompt.submit(host.session.id, { ...prompt, model })
      return host.runtime.prompt.wait(turn.id)
    },
    async [Symbol.asyncDispose]() {
      await host[Symbol.asyncDispose]()
      await provider[Symbol.asyncDispose]()
      await rm(directory, { recursive: true, force: true })
    },
  }
}
